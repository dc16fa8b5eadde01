import { defined } from '../base/defined.ts'
import { unreachable } from '../base/invariant.ts'
import type { JsonObject } from '../base/json.ts'
import { stableText } from '../base/stable-text.ts'
import { hashText } from '../definition/hash.ts'
import type { Program as CompiledProgram } from '../machine/machine.ts'
import type { Actor, DigestFacts, RunEvent } from '../run/events.ts'
import { type ObservedResult, openSealing, readResult } from '../run/read-result.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { anAgent, type Call, type CallFacts, describe, factsOfCall } from './call.ts'

/**
 * Something that happened to a run. Time and ids are facts of the caller: `at` is when it happened
 * in epoch milliseconds, `by` is who did it, an agent when nobody is named.
 *
 * @example
 * import type { Event } from '@statewright/core'
 *
 * const event: Event = { type: 'transition_requested', event: 'READY', at: Date.now() }
 */
export type Event =
  | ToolRequested
  | ToolFinished
  | TransitionRequested
  | AnswerGiven
  | ApprovalResolved
  | BranchBound
  | CostReported
  | TaskGiven
  | LifecycleChanged

interface Caused {
  readonly at: number
  readonly by?: Actor
}

/** An agent wants to call a tool. The answer is `decided`; nothing but `allow` may run. */
export interface ToolRequested extends Caused, CallFacts {
  readonly type: 'tool_requested'
  readonly by?: Actor
  readonly call: Call & { readonly id: string }
  /** Of the approval, should a person have to be asked; made from snapshot and event without it. */
  readonly approvalId?: string
  /** Until when a person may answer; five minutes when it is not given. */
  readonly approvalExpiresAt?: number
}

/** A call that was allowed has ended. It moves limits, evidence and interrupts. */
export interface ToolFinished extends Caused {
  readonly type: 'tool_finished'
  readonly callId: string
  readonly exit: 'success' | 'failure' | null
  /** What came of it, for facts: text, structured content, the exit code of a command. */
  readonly result?: ObservedResult
  /** How much the agent reads of its result. */
  readonly bytes?: number
  readonly costUsd?: number
  /** Seen by your program (the default), or only said by the agent, which proves nothing. */
  readonly source?: 'observed' | 'reported'
  readonly digests?: DigestFacts
}

/** An agent sends an event of its state. */
export interface TransitionRequested extends Caused {
  readonly type: 'transition_requested'
  readonly event: string
  readonly data?: JsonObject
  readonly branch?: string
  readonly digests?: DigestFacts
  readonly approvalId?: string
}

/** An agent answers the question of a process. */
export interface AnswerGiven extends Caused {
  readonly type: 'answer_given'
  readonly answer: string
  readonly rationale?: string
  readonly approvalId?: string
}

/** A person decided on what waits, or nobody did in time. Agents may not. */
export interface ApprovalResolved extends Caused {
  readonly type: 'approval_resolved'
  readonly by: Actor
  readonly approvalId: string
  readonly verdict: 'approve' | 'reject' | 'expire'
  readonly note?: string
  /** For a call: do not ask under this rule again in this run. */
  readonly always?: boolean
  readonly digests?: DigestFacts
}

/** An agent takes over a branch of the fork. */
export interface BranchBound extends Caused {
  readonly type: 'branch_bound'
  readonly branch: string
}

/** What a model call cost. */
export interface CostReported extends Caused {
  readonly type: 'cost_reported'
  readonly costUsd: number
}

/** A person said more about what is to be done. */
export interface TaskGiven extends Caused {
  readonly type: 'task_given'
  readonly by: Actor
  readonly text: string
}

/** The run is paused, resumed or ended. */
export interface LifecycleChanged extends Caused {
  readonly type: 'paused' | 'resumed' | 'stopped'
}

const askTimeoutMs = 5 * 60_000

/** The event with everything that the reducer wants to be told. */
export function runEvent(program: CompiledProgram, run: RunSnapshot, event: Event): RunEvent {
  const { at, by = anAgent } = event
  switch (event.type) {
    case 'tool_requested': {
      const { type, call, workspace, approvalExpiresAt = at + askTimeoutMs } = event
      const facts = factsOfCall(program, run, event)
      const approvalId = event.approvalId ?? newId(run, event)
      const described = describe(program, call, call.id, workspace)
      return { type, at, ...facts, call: described, approvalId, approvalExpiresAt }
    }
    case 'tool_finished': {
      const { bytes = 0, source = 'observed', costUsd, result, ...rest } = event
      const cost = costUsd === undefined ? {} : { costMicros: micros(costUsd) }
      const { callId, exit } = event
      const known = { at, by, exit, result: result ?? { isCut: true }, sealing: openSealing }
      const read = readResult(program, run, callId, known)
      return { ...rest, by, bytes, source, ...cost, ...read }
    }
    case 'transition_requested':
    case 'answer_given':
      return { ...event, by, approvalId: event.approvalId ?? newId(run, event) }
    case 'task_given':
      return { type: event.type, at, by, text: event.text }
    case 'cost_reported':
      return { type: event.type, at, by, costMicros: micros(event.costUsd) }
    case 'approval_resolved':
    case 'branch_bound':
      return { ...event, by }
    case 'paused':
    case 'resumed':
    case 'stopped':
      return { type: event.type, at, by }
    default:
      return unreachable(event)
  }
}

/**
 * An id that no other approval of the run has: the same event in the same snapshot has the same
 * one, so that a history plays again.
 */
function newId(run: RunSnapshot, event: object): string {
  return `apr_${hashText(stableText(defined({ run, event }))).slice(0, 20)}`
}

function micros(costUsd: number): number {
  return Math.round(costUsd * 1_000_000)
}
