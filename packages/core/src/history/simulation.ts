import { defined } from '../base/defined.ts'
import { unreachable } from '../base/invariant.ts'
import type { JsonObject } from '../base/json.ts'
import type { Program } from '../machine/machine.ts'
import { roomIn } from '../machine/room.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import type { Entry } from '../run/entries.ts'
import type { Actor, RunEvent, ToolRequested } from '../run/events.ts'
import { type ObservedResult, openSealing, readResult } from '../run/read-result.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { digestsAtStart, digestsNow } from './imagined-files.ts'

/** A run that is only played: no server, no clock, no files, the same answer every time. */
export interface Simulated {
  readonly program: Program
  readonly run: RunSnapshot
  readonly entries: readonly Entry[]
  /** What came of the last move. */
  readonly last: Step
  /** A call as the guard would see it. */
  readonly describe: (call: RawCall) => ToolCall
  readonly changedFiles: readonly string[]
  /** Rates and budgets, of which there is always some left. */
  readonly usage: NonNullable<ToolRequested['usage']>
  /** Counts the ids given out, which only have to differ. */
  readonly ids: number
}

interface RawCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

export type SimulatedMove = { readonly branch?: string | undefined } & (
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly input: unknown
      /** How it ends where it is let through; `none`: it does not end yet. */
      readonly exit: 'success' | 'failure' | 'none'
      readonly bytes?: number | undefined
      /** What it answers with, which may teach facts and fire interrupts (FC-2). */
      readonly result?: ObservedResult | undefined
    }
  | { readonly kind: 'send'; readonly event: string; readonly data?: JsonObject | undefined }
  | {
      readonly kind: 'answer'
      readonly answer: string
      readonly rationale?: string | undefined
    }
  | {
      readonly kind: 'verdict'
      readonly verdict: 'approve' | 'reject'
      /** Left out, or no longer there: what waits first. */
      readonly approvalId?: string
      /** Only what a call waits for, not a move. */
      readonly of?: 'call' | undefined
      readonly note?: string | undefined
    }
  | { readonly kind: 'pause' | 'resume' }
)

export const simulatedAgent: Actor = { kind: 'agent', id: 'simulation' }
const person: Actor = { kind: 'person', id: 'you' }
const approvalLifeMs = 5 * 60_000

export function simulateStart(
  program: Program,
  options: {
    readonly at: number
    readonly describe: (call: RawCall) => ToolCall
    readonly strict?: boolean | undefined
    readonly context?: JsonObject | undefined
    /** What a person asked for (FC-11). */
    readonly task?: string | undefined
  },
): Simulated {
  const { at, describe, strict, context, task } = options
  const last = startRun(program, {
    type: 'started',
    at,
    by: person,
    hash: program.hash,
    digests: digestsAtStart(program, []),
    ...defined({ strict, context, task }),
  })
  const { run, entries } = last
  const usage = roomIn(program)
  return { program, run, entries, last, describe, changedFiles: [], usage, ids: 0 }
}

/** Makes a move; a call that is let through ends at once, as the move says. */
export function simulateMove(before: Simulated, move: SimulatedMove, at: number): Simulated {
  const event = eventOf(before, move, at)
  const request = next(before, event)
  const { answer } = request.last
  if (event.type !== 'tool_requested' || move.kind !== 'call' || move.exit === 'none')
    return request
  if (answer.type !== 'decided' || answer.decision.kind !== 'allow') return request
  const edits = move.exit === 'success' ? (event.call.edits ?? []) : []
  const edited = filesChanged(
    request,
    edits.map(({ path }) => path),
  )
  const { exit, bytes = 0, result = {} } = move
  const callId = event.call.id
  const facts = { at, by: simulatedAgent, exit, result, sealing: openSealing }
  const finished = next(edited, {
    type: 'tool_finished',
    at,
    by: simulatedAgent,
    callId,
    bytes,
    exit,
    source: 'observed',
    digests: digestsNow(edited, simulatedAgent, move.branch),
    ...readResult(edited.program, edited.run, callId, facts),
  })
  // The decision stays in view; what the result set off is added to its notices.
  if (finished.last.answer.type !== 'recorded') return { ...finished, last: request.last }
  const notices = [...answer.notices, ...finished.last.answer.notices]
  return { ...finished, last: { ...request.last, answer: { ...answer, notices } } }
}

/** As if a program had changed these files of the workspace. */
export function filesChanged(play: Simulated, files: readonly string[]): Simulated {
  if (files.length === 0) return play
  return { ...play, changedFiles: files.reduce(changedThen, play.changedFiles) }
}

/** The same changes make the same list, so that its digests are worked out once. */
const longer = new WeakMap<readonly string[], Map<string, readonly string[]>>()

function changedThen(changed: readonly string[], file: string): readonly string[] {
  const known = longer.get(changed) ?? new Map<string, readonly string[]>()
  longer.set(changed, known)
  const made = known.get(file) ?? [...changed, file]
  known.set(file, made)
  return made
}

function eventOf(play: Simulated, move: SimulatedMove, at: number): RunEvent {
  const approvalId = `approval-${play.ids}`
  const { branch } = move
  const digests = digestsNow(play, simulatedAgent, branch)
  const facts = { at, by: simulatedAgent, ...defined({ branch }) }
  switch (move.kind) {
    case 'call': {
      const { tool, input } = move
      const call = play.describe({ id: `call-${play.ids}`, tool, input })
      const { usage } = play
      const approvalExpiresAt = at + approvalLifeMs
      const more = { usage, digests, approvalId, approvalExpiresAt }
      return { ...facts, type: 'tool_requested', call, ...more }
    }
    case 'send': {
      const data = defined({ data: move.data })
      return {
        ...facts,
        ...data,
        type: 'transition_requested',
        event: move.event,
        digests,
        approvalId,
      }
    }
    case 'answer': {
      const { answer, rationale } = move
      const type = 'answer_given'
      return { at, by: simulatedAgent, type, answer, approvalId, ...defined({ rationale }) }
    }
    case 'verdict': {
      const { verdict, note } = move
      const waiting = waitingIds(play.run, move)
      const id = move.approvalId
      const isThere = id !== undefined && waiting.includes(id)
      return {
        at,
        by: person,
        type: 'approval_resolved',
        approvalId: (isThere ? id : waiting[0]) ?? 'none',
        verdict,
        digests,
        ...defined({ note: note || undefined }),
      }
    }
    case 'pause':
    case 'resume':
      return { at, by: person, type: move.kind === 'pause' ? 'paused' : 'resumed' }
    default:
      return unreachable(move)
  }
}

/** What waits for a person, in the order in which it is answered; of one branch where one acts. */
function waitingIds(
  run: RunSnapshot,
  { branch, of }: Extract<SimulatedMove, { kind: 'verdict' }>,
): string[] {
  const branches = run.fork?.branches ?? []
  const named = branches.find(({ name }) => name === branch)
  const lanes = named === undefined ? [run.main, ...branches.map(({ lane }) => lane)] : [named.lane]
  const moves = of === 'call' ? [] : lanes.flatMap(({ approval }) => approval?.id ?? [])
  const calls = run.asks.filter(({ status }) => status === 'waiting').map(({ id }) => id)
  return [...moves, ...calls]
}

function next(play: Simulated, event: RunEvent): Simulated {
  const last = reduceRun(play.program, play.run, event)
  const entries = [...play.entries, ...last.entries]
  return { ...play, run: last.run, entries, last, ids: play.ids + 1 }
}

/** What came of a move, in the words of a scenario. */
export interface SimulatedOutcome {
  readonly word: 'allow' | 'ask' | 'deny' | 'moved' | 'waits' | 'refused'
  readonly code?: string
  readonly message?: string
}

export function simulatedOutcome({ last: { answer, refusal } }: Simulated): SimulatedOutcome {
  if (refusal !== undefined) {
    return { word: 'refused', code: refusal.code, message: refusal.message }
  }
  switch (answer.type) {
    case 'decided': {
      const { kind: word, code, message } = answer.decision
      return defined({ word, code, message })
    }
    case 'pending_approval':
      return { word: 'waits', message: answer.message }
    case 'approval_ended':
      // A rejection is just what the person wanted; guards that fail at an approval are not.
      return answer.code === undefined || answer.code === 'approval_rejected'
        ? { word: 'moved' }
        : { word: 'refused', code: answer.code, message: `The approval ended: ${answer.verdict}.` }
    default:
      return { word: 'moved' }
  }
}
