import type { Json, JsonObject } from '../base/json.ts'
import {
  filesChanged,
  type Simulated,
  type SimulatedMove,
  simulateMove,
} from '../history/simulation.ts'
import type { MachineState } from '../machine/machine.ts'
import { isUnfinished, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import { hasEnded, type Lane } from '../run/snapshot.ts'
import { maxCombinations } from './bounds.ts'
import { approvedCalls, type TriedCall } from './call-effects.ts'
import { type FieldReads, isSendable } from './field-reads.ts'
import { fieldValues } from './field-values.ts'
import type { SampleCalls } from './sample-calls.ts'
import { afterWaiting, expiriesOf } from './waiting.ts'

/** A move of the search: one of the simulator, files that somebody else changes, or time. */
export type Move =
  | SimulatedMove
  | { readonly kind: 'change'; readonly files: readonly string[] }
  | { readonly kind: 'wait'; readonly ms: number }

/** The run after a move; entries of before stay. */
export function playMove(play: Simulated, move: Move, at: number): Simulated {
  if (move.kind === 'change') return { ...filesChanged(play, move.files) }
  if (move.kind === 'wait') return { ...play, run: afterWaiting(play.program, play.run, move.ms) }
  return simulateMove(play, move, at)
}

/** Makes a move, each a moment after the last one. */
export function makeMove(before: Simulated, move: Move, at: number): Simulated {
  return playMove({ ...before, entries: [] }, move, at)
}

export type CallMove = Extract<Move, { kind: 'call' }>

/** An event that no state defines, for `safe_next`. */
const otherEvent = 'SOMETHING_ELSE'

/** A lane that an agent may act in. */
export interface OpenLane {
  readonly lane: Lane
  readonly branch: string | undefined
}

export function openLanes({ run }: Simulated): OpenLane[] {
  if (hasEnded(run.status)) return []
  if (run.fork === null) return [{ lane: run.main, branch: undefined }]
  return run.fork.branches.filter(isUnfinished).map(({ name, lane }) => ({ lane, branch: name }))
}

/**
 * What can happen next besides calls: events, answers, verdicts of people. Pausing, forcing and
 * stopping are no moves of an agent (PV-5). Data of events are left to `dataOf`; `events` are those
 * that a claim speaks of.
 */
export function possibleMoves(play: Simulated, events: readonly string[] = []): Move[] {
  const lanes = openLanes(play)
  const { asks } = play.run
  // Anyone who asks about a call can as well ask when it is about to make it: nothing lies between.
  if (asks.some(({ status }) => status === 'waiting')) return [approvedCall]
  if (lanes.length === 0) return []
  if (approvedCalls(play.run).length > 0) return []
  return [
    ...lanes.flatMap(({ lane, branch }) => eventsOf(play, lane, branch, events)),
    ...lanes.flatMap(({ branch }) => (branch === undefined ? [] : branchEvents(branch))),
    ...verdictsOf(play),
  ]
}

/** What happens without the agent, tried last: anyone who reads a way looks for the agent first. */
export function changesBesides(play: Simulated, { files }: SampleCalls): Move[] {
  const isAsked = play.run.asks.some(({ status }) => status === 'waiting' || status === 'approved')
  if (isAsked) return []
  return [
    ...files.map((file): Move => ({ kind: 'change', files: [file] })),
    ...expiriesOf(play.program, play.run).map((ms): Move => ({ kind: 'wait', ms })),
  ]
}

function eventsOf(
  play: Simulated,
  lane: Lane,
  branch: string | undefined,
  more: readonly string[],
): Move[] {
  if (lane.approval !== null) return []
  const frame = topFrame(lane)
  const state = stateOf(play.program, frame)
  if (machineOf(play.program, frame).kind === 'process') {
    return [...state.transitions.keys()].map((answer) => ({ kind: 'answer', answer }))
  }
  const events = [
    ...state.transitions.keys(),
    ...(state.safeNext === null ? [] : unknownIn(state, more)),
  ]
  return events.map((event) => ({ kind: 'send', event, branch }))
}

/** One stands for all that the state does not define, but for those that a claim asks about. */
function unknownIn({ transitions }: MachineState, named: readonly string[]): string[] {
  let event = otherEvent
  while (transitions.has(event) || named.includes(event)) event += '_'
  return [event, ...named.filter((name) => !transitions.has(name))]
}

function branchEvents(branch: string): Move[] {
  return ['DONE', 'FAIL'].map((end) => ({ kind: 'send', event: `BRANCH_${end}:${branch}` }))
}

/**
 * A person answers what waits, moves first. An expiry does to a run what a rejection does, and
 * "always" lets through nothing that its own approval would not.
 */
function verdictsOf({ run }: Simulated): Move[] {
  const branches = run.fork?.branches ?? []
  const waiting = branches.filter(({ lane }) => lane.approval !== null).map(({ name }) => name)
  const names = waiting.length > 0 ? waiting : run.main.approval === null ? [] : [undefined]
  return names.flatMap((branch): Move[] => [
    { kind: 'verdict', verdict: 'approve', branch },
    { kind: 'verdict', verdict: 'reject', branch },
  ])
}

/** A no to a call closes nothing: with other arguments it is another one, and asked about again. */
const approvedCall: Move = { kind: 'verdict', verdict: 'approve', of: 'call' }

/**
 * A call and how it may end; one that tells nothing ends well. Where bytes are counted, its answer
 * may use them all up.
 */
export function callMoves(
  { tool, input, tells, result }: TriedCall,
  branch: string | undefined,
  bytes: number | null,
): Move[] {
  const call = { kind: 'call', tool, input, branch } as const
  const ends: Move[] = [
    { ...call, exit: 'success', ...(result === undefined ? {} : { result }) },
    ...(tells ? [{ ...call, exit: 'failure' } as const] : []),
  ]
  if (bytes === null || !tells) return ends
  return ends.flatMap((end) => [end, { ...end, bytes }])
}

/** Bytes that a state counts, or null. */
export function countedBytes(play: Simulated, { lane }: OpenLane): number | null {
  const { contextBudgetBytes } = stateOf(play.program, topFrame(lane))
  return Number.isFinite(contextBudgetBytes) ? contextBudgetBytes : null
}

/** Calls that only use up what a state has left of calls, and of bytes: one of each is enough. */
export function idleMoves(
  play: Simulated,
  { lane, branch }: OpenLane,
  { idle }: SampleCalls,
): readonly (readonly CallMove[])[] {
  const { maxIterations, contextBudgetBytes } = stateOf(play.program, topFrame(lane))
  const calls = idle.map(({ tool, input }) => {
    return { kind: 'call', tool, input, branch, exit: 'success' } as const
  })
  return [
    Number.isFinite(maxIterations) ? calls : [],
    Number.isFinite(contextBudgetBytes)
      ? calls.map((call) => ({ ...call, bytes: contextBudgetBytes }))
      : [],
  ]
}

export interface DataFields {
  readonly fields: readonly { readonly name: string; readonly values: readonly Json[] }[]
  readonly complete: boolean
}

/** What an agent may send with an event: values of each kind, by field that a guard reads. */
export function dataFields({ rules }: FieldReads): DataFields {
  const sendable = [...rules].filter(([name]) => isSendable(name))
  const found = sendable.map(([name, list]) => ({ name, ...fieldValues(list) }))
  return {
    fields: found.map(({ name, values }) => ({ name, values })),
    complete: found.every(({ complete }) => complete),
  }
}

/**
 * The data worth sending with an event. `keyWith` tells the situation that it leads to: a field
 * that makes no difference by itself makes none beside others, since each guard reads one field.
 * Null when there are too many.
 */
export function dataOf(
  { fields }: DataFields,
  keyWith: (data: JsonObject) => string,
): readonly JsonObject[] | null {
  const plain = keyWith({})
  let made: JsonObject[] = [{}]
  for (const { name, values } of fields) {
    const kinds = new Map<string, Json>()
    for (const value of values) {
      const key = keyWith({ [name]: value })
      if (key !== plain && !kinds.has(key)) kinds.set(key, value)
    }
    const given = [...kinds.values()]
    if (made.length * (given.length + 1) > maxCombinations) return null
    made = made.flatMap((data) => [data, ...given.map((value) => ({ ...data, [name]: value }))])
  }
  return made
}
