import { type JsonObject, jsonEqual } from '../base/json.ts'
import { own } from '../base/own.ts'
import { digestsOf } from '../history/imagined-files.ts'
import type { Simulated } from '../history/simulation.ts'
import type { MachineEvidence, MachineState, Program } from '../machine/machine.ts'
import { machineOf } from '../run/lanes.ts'
import { evidenceState } from '../run/read-evidence.ts'
import type { Counters, Frame, Lane, PendingApproval, RunSnapshot } from '../run/snapshot.ts'
import { asChildReads, doesPass, type FieldRead, type FieldReads } from './field-reads.ts'

/**
 * Where a run stands, without what no rule and no claim can see: ids, times, visits and words.
 * Two runs in one situation answer alike to whatever comes next (PV-3).
 */
export interface Situation {
  readonly key: string
  /** The same without any count. */
  readonly base: string
  readonly counted: readonly number[]
  /**
   * How much of each limit is used. Anyone who has used less can do all that the other can, so that
   * of two situations with one key the lesser one stands for both; where it matters that a limit
   * is used up, they are part of the key.
   */
  readonly used: readonly number[]
}

export interface Watched {
  readonly reads: FieldReads
  /** Files that calls of the search change. */
  readonly changing: readonly string[]
  /** What becomes of the calls and bytes used in a state. */
  readonly calls: Counting
  /** What becomes of the files changed in a state. */
  readonly files: Counting
  /** Whether it matters what facts say, and not only that they are known. */
  readonly factValues: boolean
}

/**
 * Used limits tell situations apart (`exact`), the least use stands for all (`least`), or no limit
 * makes a difference (`none`).
 */
export type Counting = 'exact' | 'least' | 'none'

export function situation(play: Simulated, watched: Watched): Situation {
  const { run, program } = play
  const used: number[] = []
  const counted: number[] = []
  const at: View = { program, run, changedFiles: play.changedFiles, watched, used, counted }
  const base = JSON.stringify([
    run.status,
    run.held ?? false,
    laneKey(at, run.main, null),
    run.fork === null ? 0 : forkKey(at, run),
    run.calls.filter(({ status }) => status === 'open').map(({ id: _, ...call }) => call),
    run.asks.map((ask) => `${ask.rule} ${ask.tool} ${ask.argsHash} ${ask.status}`).sort(),
    mailsLeft(program, run),
    Object.entries(run.facts ?? {}).map(([machine, facts]) => [
      machine,
      knownFacts(facts, watched.factValues),
    ]),
    Object.entries(run.marks ?? {}).map(([owner, marks]) => [owner, Object.keys(marks).sort()]),
  ])
  return { key: `${base} ${counted.join()}`, base, counted, used }
}

interface View extends Pick<Simulated, 'program' | 'run' | 'changedFiles'> {
  readonly watched: Watched
  readonly used: number[]
  /** Use that is part of the key. */
  readonly counted: number[]
}

function knownFacts(facts: NonNullable<RunSnapshot['facts']>[string], hasValues: boolean) {
  return Object.entries(facts).flatMap(([name, { values, open = [] }]) => {
    const known = Object.entries(values).map(([key, { value }]) => JSON.stringify([key, value]))
    // One that was forgotten is as one that was never learnt.
    if (known.length === 0 && open.length === 0) return []
    return [[name, hasValues ? known.sort() : known.length > 0, open.length]]
  })
}

function mailsLeft({ machines }: Program, { mailsSent }: RunSnapshot): number {
  const max = Math.max(
    0,
    ...[...machines.values()].map(({ email }) => email?.max_emails_per_session ?? 0),
  )
  return Math.min(mailsSent, max)
}

/** A lane: its frames from the bottom up, and what waits for a person there. */
function laneKey(view: View, lane: Lane, branch: string | null): unknown[] {
  const { fork } = view.run
  const frames = lane.frames.map((frame, index) => {
    const above = lane.frames[index + 1]
    const held = branch === null && above === undefined ? fork : null
    const targets = targetsOf(frame, above, held)
    const context = contextKey(view, lane, index, targets, frame.context, branch)
    // What a fork stands on gets the newest evidence of its branches at the join.
    return [...frameKey(view, frame), held === null ? evidenceOf(view, frame) : 0, context]
  })
  return [frames, lane.approval === null ? 0 : approvalKey(view, lane, lane.approval, branch)]
}

/** The states whose guards may read this context before an agent can send other data. */
function targetsOf(
  frame: Frame,
  above: Frame | undefined,
  fork: RunSnapshot['fork'],
): readonly (string | null)[] {
  if (above !== undefined) return [above.invoked?.onComplete ?? null, above.invoked?.onFail ?? null]
  return fork === null ? [frame.state] : [fork.onComplete, fork.onFail]
}

function frameKey(view: View, frame: Frame): unknown[] {
  const machine = machineOf(view.program, frame)
  countUse(view, machine.states.get(frame.state), frame.counters)
  const { interrupt, invoked } = frame
  if (interrupt !== null) {
    countUse(view, machine.states.get(interrupt.returnTo), interrupt.counters)
  }
  return [
    frame.machine,
    frame.state,
    interrupt?.returnTo ?? 0,
    invoked === null ? 0 : [invoked.onComplete, invoked.onFail],
  ]
}

function evidenceOf(view: View, frame: Frame): unknown[] {
  const { evidence } = machineOf(view.program, frame)
  return [...evidence.values()].map((fact) => evidenceKey(view, fact, frame))
}

/** What a piece of evidence is worth now, and whether a person would have to confirm it. */
function evidenceKey(view: View, fact: MachineEvidence, frame: Frame): unknown[] {
  const machine = machineOf(view.program, frame)
  const record = own(frame.evidence, fact.name)
  const now = own(digestsOf(machine, view.changedFiles), fact.name)
  const state = evidenceState(fact, record, now)
  const atStart = own(frame.baseline, fact.name)
  const isOther = now?.definedBy !== atStart
  if (state !== 'fresh') {
    return [state === 'missing' ? 0 : (record?.edits?.length ?? 0) + 1, isOther]
  }
  return ['fresh', isOther, record?.before?.definedBy === atStart]
}

/** How the guards come out that read this context next, no matter who brings it to them. */
function contextKey(
  view: View,
  lane: Lane,
  index: number,
  targets: readonly (string | null)[],
  context: JsonObject,
  branch: string | null,
): unknown[] {
  if (view.watched.reads.isEmpty) return []
  const bits = readsAt(view, lane, index, targets).map((read) => (doesPass(read, context) ? 1 : 0))
  const joins = branch === null ? isJoined(view, lane, index) : index === 0
  return joins ? [bits.join(''), joinedValues(view, context, branch)] : [bits.join('')]
}

function isJoined({ run }: View, lane: Lane, index: number): boolean {
  return run.fork !== null && lane === run.main && index === lane.frames.length - 1
}

/** Reads of a frame: of its own machine, and those of its parents that come back to it. */
function readsAt(
  view: View,
  lane: Lane,
  index: number,
  targets: readonly (string | null)[],
): readonly FieldRead[] {
  const { reads } = view.watched
  const frame = lane.frames[index]
  if (frame === undefined) return []
  const id = frame.machine
  const mine = [
    ...targets.flatMap((state) => reads.inState(id, state)),
    ...reads.inHandlers(id),
    ...reads.fixed(id),
  ]
  if (index === 0 || frame.invoked === null) return mine
  const { key, onComplete, onFail } = frame.invoked
  const { output } = machineOf(view.program, frame)
  const below = readsAt(view, lane, index - 1, [onComplete, onFail])
  return [...mine, ...asChildReads(below, { name: key, output })]
}

/**
 * A join compares what branches made of each key of the context with what the fork began with.
 * Where a guard behind it reads one, how it comes out and whether the key was changed are kept; a
 * dotted field may be put together from several keys, whose values themselves are kept.
 */
function joinedValues(view: View, context: JsonObject, branch: string | null): unknown[] {
  const { fork, main } = view.run
  if (fork === null || view.watched.reads.isEmpty) return []
  const before = main.frames.at(-1)?.context ?? {}
  const behind = readsAt(view, main, main.frames.length - 1, [fork.onComplete, fork.onFail])
  return behind.map((read) => {
    const [first = '', name, ...rest] = read.segments
    if (first === 'branches' && name !== undefined && rest.length > 0) {
      const inner = { ...read, field: rest.join('.'), segments: rest }
      return name === branch ? doesPass(inner, context) : 0
    }
    if (read.segments.length > 1) return [own(context, read.field) ?? 0, own(context, first) ?? 0]
    const isChanged = !jsonEqual(own(context, first) ?? null, own(before, first) ?? null)
    return [doesPass(read, context), isChanged]
  })
}

function approvalKey(
  view: View,
  lane: Lane,
  { kind, event, candidate, to, data }: PendingApproval,
  branch: string | null,
): unknown[] {
  const top = lane.frames.length - 1
  const context = { ...lane.frames[top]?.context, ...data }
  return [kind, event, candidate, to, contextKey(view, lane, top, [to], context, branch)]
}

function forkKey(view: View, { fork, main }: RunSnapshot): unknown[] {
  if (fork === null) return []
  const { event, onComplete, onFail, join, branches } = fork
  return [
    [event, join, onComplete, onFail],
    branches.map(({ name, status, boundTo, lane }) => [
      name,
      status,
      boundTo === null ? 0 : 1,
      status === 'pending' || status === 'running'
        ? laneKey(view, lane, name)
        : joinedValues(view, lane.frames[0]?.context ?? {}, name),
    ]),
    newestEvidence(view, [main.frames.at(-1), ...branches.map(({ lane }) => lane.frames[0])]),
  ]
}

/** At the join the newest look at each piece of evidence counts, the last one of several. */
function newestEvidence(view: View, frames: readonly (Frame | undefined)[]): unknown[] {
  const there = frames.filter((frame) => frame !== undefined)
  const [first] = there
  if (first === undefined) return []
  const { evidence } = machineOf(view.program, first)
  return [...evidence.values()].map((fact) => {
    const at = (frame: Frame) => own(frame.evidence, fact.name)?.at ?? -1
    const newest = there.reduce((known, frame) => (at(frame) >= at(known) ? frame : known), first)
    return evidenceKey(view, fact, newest)
  })
}

function countUse(view: View, state: MachineState | undefined, counters: Counters): void {
  if (state === undefined) return
  const { calls, files, changing } = view.watched
  if (Number.isFinite(state.maxIterations)) {
    keep(view, calls, Math.min(counters.iterations, state.maxIterations))
  }
  if (Number.isFinite(state.contextBudgetBytes)) {
    keep(view, calls, counters.bytes >= state.contextBudgetBytes ? 1 : 0)
  }
  if (Number.isFinite(state.maxFiles)) {
    keep(view, files, ...changing.map((file) => (counters.files.includes(file) ? 1 : 0)))
    keep(view, files, Math.min(counters.files.length, state.maxFiles))
  }
}

function keep({ used, counted }: View, how: Counting, ...values: number[]): void {
  if (how === 'exact') counted.push(...values)
  if (how === 'least') used.push(...values)
}
