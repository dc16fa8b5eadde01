import type { Json, JsonObject } from '../base/json.ts'
import type { Code } from '../base/problem.ts'
import type { Words } from '../base/text/phrase.ts'
import type { UsageFacts } from '../policy/usage.ts'
import type { RunnerFacts } from './run-plan.ts'
import type { EvidenceSource, FileDigests, RunSnapshot } from './snapshot.ts'
import type { ExternalAnswer, ToolCall } from './tool-call.ts'
import type { Allowance } from './verdict.ts'

/** Who caused an event. The id tells sub-agents of one client session apart. */
export interface Actor {
  readonly kind: 'agent' | 'person' | 'system'
  readonly id: string
}

/**
 * Facts about the outside ride on the event: the time, new ids, digests of files. The reducer
 * never looks for itself, so that a stored event replays to the same snapshot (WF-9).
 */
interface Caused {
  readonly at: number
  readonly by: Actor
}

/** Digests by the name of the evidence they belong to. */
export type DigestFacts = Readonly<Record<string, FileDigests>>

export interface RunStarted extends Caused {
  readonly type: 'started'
  readonly hash: string
  readonly context?: JsonObject
  readonly strict?: boolean
  readonly locked?: boolean
  readonly inSession?: boolean
  /** Which session's budgets the run draws on; its own alone when nobody says so (PR-9c). */
  readonly budgetOf?: string
  /** What calls of earlier runs of the session did: it is still known there (FC-5). */
  readonly marks?: RunSnapshot['marks']
  /** What a person, or the configuration, began it with (FC-11). */
  readonly task?: string
  /**
   * Digests as the run begins, which `defined_by` is held against. Those of an invoked definition
   * are named `<its id>/<evidence>`.
   */
  readonly digests?: DigestFacts
}

export interface ToolRequested extends Caused {
  readonly type: 'tool_requested'
  readonly call: ToolCall
  /** What other judges said: policies of the project or role, another run, self-protection. */
  readonly external?: readonly ExternalAnswer[]
  /** What rates and budgets of the definition's own policy have left. */
  readonly usage?: UsageFacts
  /** Who would run the call and what it can do for it; left out where that does not matter. */
  readonly runner?: RunnerFacts
  /** The state that the caller stands in: an approval serves where it was asked for (PO-7c). */
  readonly place?: string
  /** Whom an approval of the call serves; left out where no person may be asked. */
  readonly asker?: string
  /** Somebody of ours will see how it ends; left out where that is only said. */
  readonly results?: 'observed'
  /** Nothing is held back: what would be denied passes, and is recorded as such. */
  readonly mode?: 'observe'
  readonly digests?: DigestFacts
  /** Id for an approval, should one have to be opened. */
  readonly approvalId: string
  readonly approvalExpiresAt: number
  readonly branch?: string
  /** The role of an agent of ours, for conditions. */
  readonly role?: string
}

export interface ToolFinished extends Caused {
  readonly type: 'tool_finished'
  readonly callId: string
  readonly bytes: number
  readonly exit: 'success' | 'failure' | null
  readonly source: EvidenceSource
  readonly costMicros?: number
  readonly durationMs?: number
  /** Hash of the output where it is kept beside the history. */
  readonly outputHash?: string
  /**
   * Files that a shell command was seen to change, however it ended. `counts`: its text says that
   * it writes files and not which, so that these count for the state (WF-10, WF-28).
   */
  readonly changed?: { readonly files: readonly string[]; readonly counts?: true }
  /** Takes back what an earlier result of the call proved: somebody else told that one (SH-15). */
  readonly voids?: true
  readonly digests?: DigestFacts
  /** What the result teaches, by definition and fact (FC-10). */
  readonly learnt?: LearntFacts
  /** Interrupts whose conditions read the result and held, by definition. */
  readonly fired?: Readonly<Record<string, readonly string[]>>
}

/** What one result teaches: a value, or none where it cannot be kept and the old one is wrong. */
export interface LearntValue {
  readonly key: string
  readonly value?: Json
}

export type LearntFacts = Readonly<Record<string, Readonly<Record<string, readonly LearntValue[]>>>>

/** A person said more about what is to be done (FC-11). */
export interface TaskGiven extends Caused {
  readonly type: 'task_given'
  readonly text: string
}

export interface TransitionRequested extends Caused {
  readonly type: 'transition_requested'
  readonly event: string
  readonly data?: JsonObject
  readonly branch?: string
  readonly digests?: DigestFacts
  readonly approvalId: string
}

export interface AnswerGiven extends Caused {
  readonly type: 'answer_given'
  readonly answer: string
  readonly rationale?: string
  readonly approvalId: string
}

export interface ApprovalResolved extends Caused {
  readonly type: 'approval_resolved'
  readonly approvalId: string
  readonly verdict: 'approve' | 'reject' | 'expire'
  readonly note?: string
  readonly always?: boolean
  /** With `always`: of which calls it holds. */
  readonly allowance?: Allowance
  readonly digests?: DigestFacts
}

export interface BranchBound extends Caused {
  readonly type: 'branch_bound'
  readonly branch: string
}

export interface Forced extends Caused {
  readonly type: 'forced'
  readonly state: string
  readonly context?: JsonObject
}

export interface Noted extends Caused {
  readonly type: 'noted'
  readonly entry: 'notice' | 'probe' | 'gap'
  readonly text: Words
  readonly code?: Code
  /** The door that a call of one of our own tools came through, where that matters (PR-7). */
  readonly source?: 'process'
}

export interface CostReported extends Caused {
  readonly type: 'cost_reported'
  readonly costMicros: number
}

/** A run that an older engine left is taken up by this one (WF-36). */
export interface EngineChanged extends Caused {
  readonly type: 'engine_changed'
  /** Where the run stood: from here on the new engine replays it. */
  readonly run: RunSnapshot
  readonly differs?: readonly number[]
}

export type RunEvent =
  | RunStarted
  | EngineChanged
  | ToolRequested
  | ToolFinished
  | TransitionRequested
  | AnswerGiven
  | ApprovalResolved
  | BranchBound
  | Forced
  | Noted
  | CostReported
  | TaskGiven
  | (Caused & { readonly type: 'paused' })
  | (Caused & { readonly type: 'resumed' })
  | (Caused & { readonly type: 'stopped'; readonly reason?: Words })
