import type { Machine, MachineInterrupt, Program } from '../machine/machine.ts'
import { topFrame } from '../run/lanes.ts'
import { tooManyFileClasses } from './bounds.ts'
import { fileClasses } from './file-classes.ts'
import { actingLane, approvedBy, happenings } from './passage.ts'
import type { Study } from './study.ts'
import type { Passage, Watch } from './watch.ts'

/** Claims that nobody has to write: what no author wants of a definition (PV-9). */
export const standingClaims = {
  states: 'every state can be entered',
  end: 'an end can always be reached',
  guards: 'every guard can pass',
  interrupts: 'no interrupt hides another',
  forks: 'every fork can join',
  approvals: 'no other event bypasses an approval',
} as const

export type StandingClaim = keyof typeof standingClaims

/** What was seen on all ways together. */
export class Sightings {
  readonly entered = new Set<string>()
  readonly passed = new Set<string>()
  readonly forked = new Set<string>()
  readonly joined = new Set<string>()

  readonly watch: Watch = {
    start: (play) => {
      this.#note({ before: play, after: play, move: { kind: 'change', files: [] } })
      return { memory: '', violated: false }
    },
    pass: (passage) => {
      this.#note(passage)
      return { memory: '', violated: false }
    },
  }

  #note(passage: Passage): void {
    const { before, after, move } = passage
    for (const one of happenings(passage)) {
      if (one.kind === 'enter') this.entered.add(`${one.at.machine}/${one.at.state}`)
    }
    const { machine, state } = topFrame(actingLane(passage))
    for (const entry of after.entries) {
      if (entry.type === 'forked') this.forked.add(`${machine}/${state} ${entry.event}`)
      const { fork } = before.run
      const held = topFrame(before.run.main)
      if (entry.type === 'joined' && entry.succeeded) {
        const event = fork?.event ?? (move.kind === 'send' ? move.event : '')
        this.joined.add(`${held.machine}/${held.state} ${event}`)
      }
      const event = 'event' in entry ? entry.event : undefined
      const guards = entry.type === 'transitioned' ? (entry.guards ?? []) : []
      for (const { guard, passed } of guards) {
        if (passed) this.passed.add(`${machine}/${state} ${event} ${guard}`)
      }
    }
    // An event that is refused, or waits for a person, has read its guards as well.
    if (move.kind !== 'send') return
    for (const { guard, passed } of after.last.refusal?.guards ?? []) {
      if (passed) this.passed.add(`${machine}/${state} ${move.event} ${guard}`)
    }
    if (after.last.answer.type === 'pending_approval') {
      this.passed.add(`${machine}/${state} ${move.event}`)
    }
  }
}

/** What a standing claim has to complain about; nothing where it holds. */
export function complaintsOf(
  claim: Exclude<StandingClaim, 'end' | 'approvals' | 'interrupts'>,
  { program }: Study,
  seen: Sightings,
): readonly string[] {
  switch (claim) {
    case 'states':
      return lostStates(program, seen)
    case 'guards':
      return deadGuards(program, seen)
    default:
      return [...seen.forked]
        .filter((fork) => !seen.joined.has(fork))
        .map((fork) => `The fork of ${shown(program, fork)} never joins.`)
  }
}

function shown({ root }: Program, path: string): string {
  return path.startsWith(`${root.id}/`) ? path.slice(root.id.length + 1) : path
}

function lostStates(program: Program, { entered }: Sightings): string[] {
  return [...program.machines.values()].flatMap((machine) =>
    [...machine.states.keys()]
      .map((state) => `${machine.id}/${state}`)
      .filter((path) => !entered.has(path))
      .map((path) => `${shown(program, path)} is never entered.`),
  )
}

function deadGuards(program: Program, { entered, passed }: Sightings): string[] {
  const found: string[] = []
  for (const machine of program.machines.values()) {
    for (const state of machine.states.values()) {
      const path = `${machine.id}/${state.name}`
      if (!entered.has(path)) continue
      for (const [event, transition] of state.transitions) {
        if (transition.kind !== 'move' || passed.has(`${path} ${event}`)) continue
        const guards = new Set(
          transition.candidates.flatMap((one) => one.guards.map(({ name }) => name)),
        )
        for (const guard of guards) {
          if (passed.has(`${path} ${event} ${guard}`)) continue
          found.push(`${guard} never passes for ${event} in ${shown(program, path)}.`)
        }
      }
    }
  }
  return found
}

function classesOf({ interrupts }: Machine) {
  return fileClasses(interrupts.flatMap(({ pattern }) => (pattern === null ? [] : [[pattern]])))
}

/** Interrupts that no file can fire, and why that is not certain. */
export function hiddenInterrupts({ machines }: Program) {
  const all = [...machines.values()]
  const isWhole = all.every((machine) => classesOf(machine).complete)
  return {
    complaints: all.flatMap(hiddenIn),
    unsure: isWhole ? [] : [tooManyFileClasses],
  }
}

/** Those that no file can fire, because each fires an earlier one. */
function hiddenIn(machine: Machine): string[] {
  const named = machine.interrupts.filter(({ pattern }) => pattern !== null)
  const { classes, complete } = classesOf(machine)
  if (!complete) return []
  return named.flatMap((interrupt, index) => {
    const isPlain = interrupt.tools === null && interrupt.when === null
    if (!isPlain) return []
    const earlier = named.map((other, at) => at < index && hides(other, interrupt))
    const isFree = classes.some(
      ({ matches }) => matches[index] === true && !matches.some((hit, at) => hit && earlier[at]),
    )
    if (isFree) return []
    const by = named.filter((_, at) => earlier[at]).map(({ name }) => name)
    return [
      `${interrupt.name} never fires: every file that it matches fires ${by.join(' or ')} first.`,
    ]
  })
}

/** A file that a command changed fires only those interrupts that look at the shell. */
function hides(earlier: MachineInterrupt, later: MachineInterrupt): boolean {
  return earlier.tools === null && earlier.when === null && (earlier.shell || !later.shell)
}

/** Watches for a move, by another event, to where an approval was meant to be needed. */
export const watchApprovals: Watch = {
  start: () => ({ memory: '', violated: false }),
  pass: (passage) => ({ memory: '', violated: goesRound(passage) }),
}

function goesRound(passage: Passage): boolean {
  const { before, after } = passage
  if (approvedBy(passage) !== null) return false
  const frame = topFrame(actingLane(passage))
  const machine = before.program.machines.get(frame.machine)
  if (machine?.approvalsWait !== true) return false
  const state = machine.states.get(frame.state)
  const guarded = [...(state?.transitions ?? [])].flatMap(([event, transition]) =>
    transition.kind === 'move'
      ? transition.candidates.flatMap(({ approval, target }) =>
          approval === null ? [] : [{ event, target }],
        )
      : [],
  )
  if (guarded.length === 0) return false
  return after.entries.some((entry) => {
    if (entry.type !== 'transitioned' || entry.from !== frame.state) return false
    return guarded.some(({ event, target }) => target === entry.to && event !== entry.event)
  })
}
