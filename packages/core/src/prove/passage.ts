import type { Simulated } from '../history/simulation.ts'
import type { Entry } from '../run/entries.ts'
import { branchOf, laneOf, stateOf, topFrame } from '../run/lanes.ts'
import type { Frame, Lane, PendingApproval } from '../run/snapshot.ts'
import type { Passage } from './watch.ts'

/** A state of one of the definitions. */
export interface StateRef {
  readonly machine: string
  readonly state: string
}

/** What happened in one move, in order. */
export type Happening =
  | { readonly kind: 'enter'; readonly at: StateRef; readonly branch: string | null }
  | { readonly kind: 'event'; readonly event: string }
  | { readonly kind: 'interrupt'; readonly name: string }

export function sameState(left: StateRef, right: StateRef): boolean {
  return left.machine === right.machine && left.state === right.state
}

/** Reads a move from the entries that it wrote, and from where the run stands afterwards. */
export function happenings({ before, after, move }: Passage): Happening[] {
  const stacks = new Map<string | null, string[]>()
  const stackOf = (branch: string | null) => {
    const known = stacks.get(branch) ?? machinesIn(before, branch)
    stacks.set(branch, known)
    return known
  }
  const found = after.entries.flatMap((entry) => happeningsOf(entry, before, stackOf))
  const approved = approvedBy({ before, after, move })
  // An answer that waited for a person writes no entry of its own when it goes on.
  const late = approved?.kind === 'checkpoint' ? [eventOf(approved.event)] : []
  const seen = new Set(
    found.flatMap((one) => (one.kind === 'enter' ? [`${one.at.machine}\n${one.at.state}`] : [])),
  )
  const others = freshFrames(before, after).filter(
    ({ at }) => !seen.has(`${at.machine}\n${at.state}`),
  )
  return [...found, ...late, ...others]
}

/** The question that a person approved with this move, where the run went on by it. */
export function approvedBy({ before, after, move }: Passage): PendingApproval | null {
  if (move.kind !== 'verdict' || move.verdict !== 'approve' || move.of === 'call') return null
  if (after.last.answer.type !== 'moved') return null
  const { fork, main } = before.run
  const branch = fork?.branches.find(({ name }) => name === move.branch)
  const waiting = [branch?.lane ?? main, ...(fork?.branches.map(({ lane }) => lane) ?? [])]
  return waiting.find(({ approval }) => approval !== null)?.approval ?? null
}

/** The lane that a move is made in. */
export function actingLane({ before, move }: Pick<Passage, 'before' | 'move'>): Lane {
  const { run } = before
  const branchName = move.kind === 'change' || move.kind === 'wait' ? undefined : move.branch
  const named =
    move.kind === 'send' ? /^BRANCH_(?:DONE|FAIL):(.*)$/s.exec(move.event)?.[1] : undefined
  const name = branchName ?? named
  const branch = name === undefined ? undefined : branchOf(run.fork, name)
  return branch?.lane ?? run.main
}

/** The frames that a lane stands on, the live one first. */
export function framesOf({ run }: Simulated, branch: string | null): readonly Frame[] {
  const isThere = branch !== null && branchOf(run.fork, branch) !== undefined
  const lane = isThere ? laneOf(run, branch).frames : []
  return [...lane.toReversed(), ...run.main.frames.toReversed()]
}

function machinesIn({ run }: Simulated, branch: string | null): string[] {
  const lane = branch === null ? run.main : (branchOf(run.fork, branch)?.lane ?? run.main)
  return lane.frames.map(({ machine }) => machine)
}

function eventOf(event: string): Happening {
  return { kind: 'event', event }
}

function happeningsOf(
  entry: Entry,
  before: Simulated,
  stackOf: (branch: string | null) => string[],
): Happening[] {
  const branch = entry.branch ?? null
  const stack = stackOf(branch)
  const enter = (state: string | null, machine = stack.at(-1) ?? ''): Happening[] =>
    state === null ? [] : [{ kind: 'enter', at: { machine, state }, branch }]
  switch (entry.type) {
    case 'run_started':
      return enter(entry.state)
    case 'transitioned': {
      const hasFailed = entry.event.startsWith('BRANCH_FAIL')
      return [eventOf(entry.event), ...(hasFailed ? [] : enter(entry.to))]
    }
    case 'returned':
      return enter(entry.to)
    case 'interrupted':
      return [{ kind: 'interrupt', name: entry.name }, ...enter(entry.to)]
    case 'answered':
      return waitsFor(before, branch, entry) ? [] : [eventOf(entry.answer)]
    case 'forked':
      return [eventOf(entry.event), ...forkedStates(before, entry.event)]
    case 'joined':
      return enter(entry.to)
    case 'invoked':
      stack.push(entry.workflow)
      return [eventOf(entry.event), ...enter(entry.state)]
    case 'invoke_ended':
      stack.pop()
      return enter(entry.to)
    default:
      return []
  }
}

/** Whether an answer has to be confirmed by a person before it counts. */
function waitsFor(
  { program, run }: Simulated,
  branch: string | null,
  { answer }: Extract<Entry, { type: 'answered' }>,
): boolean {
  const lane = branch === null ? run.main : (branchOf(run.fork, branch)?.lane ?? run.main)
  const move = stateOf(program, topFrame(lane)).transitions.get(answer)
  return move?.kind === 'answer' && move.action === 'notify_human'
}

function forkedStates({ program, run }: Simulated, event: string): Happening[] {
  const frame = topFrame(run.main)
  const fork = stateOf(program, frame).transitions.get(event)
  if (fork?.kind !== 'fork') return []
  return fork.branches.map(({ name, initial }) => ({
    kind: 'enter',
    at: { machine: frame.machine, state: initial },
    branch: name,
  }))
}

/** Frames that were placed in this move: every entering of a state has a number of its own. */
function freshFrames(before: Simulated, after: Simulated) {
  const { run } = after
  const lanes = [
    { lane: run.main, branch: null },
    ...(run.fork?.branches ?? []).map(({ name, lane }) => ({ lane, branch: name })),
  ]
  return lanes.flatMap(({ lane, branch }) =>
    lane.frames
      .filter(({ counters }) => counters.visit > before.run.visits)
      .map(({ machine, state }) => ({ kind: 'enter' as const, at: { machine, state }, branch })),
  )
}
