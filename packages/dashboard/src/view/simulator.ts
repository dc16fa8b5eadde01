import { entryLine, outcomeOf } from '../model/outcome.ts'
import { type Move, placeOf, type Waiting } from '../model/place.ts'
import type { Play } from '../model/play.ts'
import { element } from './element.ts'

export interface SimulatorDoors {
  move(move: Move): void
  resolve(approvalId: string, verdict: 'approve' | 'reject'): void
  restart(): void
}

const shownEntries = 100

/** Where the run stands and what can be done with it. */
export function drawSimulator(play: Play, doors: SimulatorDoors): HTMLElement[] {
  const place = placeOf(play)
  const restart = button('Start again', doors.restart)
  return [
    element('p', {}, `Status: ${place.status}. State: ${place.states.join(' + ')}.`),
    element(
      'div',
      { class: 'row' },
      ...place.moves.map((move) => moveButton(move, doors)),
      restart,
    ),
    ...place.waiting.map((waiting) => drawWaiting(waiting, doors)),
    element('pre', { class: 'soft' }, place.brief),
  ]
}

export function drawOutcome(play: Play): HTMLElement {
  const { tone, title, lines } = outcomeOf(play)
  const head = element('strong', { class: tone }, title)
  const list = lines.map((line) => element('li', {}, line))
  return element('div', { role: 'status' }, head, element('ul', { class: 'list' }, ...list))
}

export function drawHistory(play: Play): HTMLElement {
  const lines = play.entries.map(entryLine).slice(-shownEntries).reverse()
  return element('ol', { class: 'list' }, ...lines.map((line) => element('li', {}, line)))
}

function moveButton(move: Move, doors: SimulatorDoors): HTMLButtonElement {
  return button(move.name, () => doors.move(move))
}

function drawWaiting(waiting: Waiting, doors: SimulatorDoors): HTMLElement {
  return element(
    'div',
    { class: 'row wait' },
    element('span', {}, waiting.message),
    button('Approve', () => doors.resolve(waiting.approvalId, 'approve')),
    button('Reject', () => doors.resolve(waiting.approvalId, 'reject')),
  )
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text)
  made.addEventListener('click', act)
  return made
}
