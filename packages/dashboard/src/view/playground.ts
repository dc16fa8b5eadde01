import { definitionDiagram } from '../model/definition-diagram.ts'
import { example } from '../model/example.ts'
import { placeOf } from '../model/place.ts'
import {
  giveAnswer,
  type Play,
  readData,
  readText,
  resolveApproval,
  sendEvent,
  startPlay,
  tryCall,
} from '../model/play.ts'
import { drawCallForm } from './call-form.ts'
import { drawDiagram } from './draw-diagram.ts'
import { element } from './element.ts'
import { drawFindings } from './findings.ts'
import { drawHistory, drawOutcome, drawSimulator } from './simulator.ts'

/**
 * The page: an editor on the left, the diagram and a simulated run on the right. Fields that people
 * type into are made once; the rest is drawn anew after each step.
 */
export function drawPlayground(place: HTMLElement, now: () => number): void {
  const editor = element('textarea', { class: 'definition', spellcheck: 'false' }, example)
  const data = element('input', { class: 'code', placeholder: '{ "cause": "line 42" }' })
  const [findings, diagram, simulator, outcome, history] = areas()
  let play: Play | null = null

  const callForm = drawCallForm((tried) => step((from) => tryCall(from, tried, now())))
  editor.setAttribute('aria-label', 'Definition')
  editor.addEventListener('input', readEditor)
  place.append(
    element('div', {}, section('Definition', editor), section('Findings', findings)),
    element(
      'div',
      {},
      section('States', diagram),
      section('Run', simulator, element('label', {}, 'Data for the next event (JSON)', data)),
      section('Try a tool call', callForm),
      section('Answer', outcome),
      section('History, newest first', history),
    ),
  )
  readEditor()

  function readEditor(): void {
    const reading = readText(editor.value)
    findings.replaceChildren(drawFindings(reading.findings, goTo))
    play = reading.program === null ? null : startPlay(reading.program, now())
    draw()
  }

  function step(next: (from: Play) => Play): void {
    if (play === null) return
    play = next(play)
    draw()
  }

  function draw(): void {
    const drawn = definitionDiagram(editor.value)
    const current = new Set(play === null ? [] : placeOf(play).states)
    diagram.replaceChildren(
      drawn === null ? hint('Nothing can be drawn yet.') : drawDiagram(drawn.diagram, current),
      ...(drawn?.interrupts ?? []).map((line) => element('p', { class: 'soft' }, line)),
    )
    if (play === null) {
      simulator.replaceChildren(hint('Repair the errors on the left to start a run.'))
      outcome.replaceChildren()
      history.replaceChildren()
      return
    }
    simulator.replaceChildren(...drawSimulator(play, { move, resolve, restart: readEditor }))
    outcome.replaceChildren(drawOutcome(play))
    history.replaceChildren(drawHistory(play))
  }

  function move(chosen: { kind: 'event' | 'answer'; name: string }): void {
    if (chosen.kind === 'answer') {
      step((from) => giveAnswer(from, chosen.name, now()))
      return
    }
    const read = readData(data.value)
    data.setCustomValidity(read === null ? 'This is no JSON object.' : '')
    if (read === null) data.reportValidity()
    else step((from) => sendEvent(from, chosen.name, read, now()))
  }

  function resolve(approvalId: string, verdict: 'approve' | 'reject'): void {
    step((from) => resolveApproval(from, approvalId, verdict, now()))
  }

  function goTo(line: number, column: number): void {
    const before = editor.value.split('\n').slice(0, line - 1)
    const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1
    editor.focus()
    editor.setSelectionRange(at, at)
  }
}

function areas(): [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement] {
  const area = () => element('div')
  return [area(), area(), area(), area(), area()]
}

function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('section', {}, element('h2', {}, title), ...content)
}

function hint(text: string): HTMLElement {
  return element('p', { class: 'soft' }, text)
}
