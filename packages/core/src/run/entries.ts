import type { Json, JsonObject } from '../base/json.ts'
import type { Code, DecisionKind, ReasonFacts } from '../base/problem.ts'
import { type Phrase, textOf, type Words } from '../base/text/phrase.ts'
import type { RunEvent } from './events.ts'
import type { BranchStatus, EvidenceSource, RunStatus } from './snapshot.ts'
import type { Allowance, Verdict } from './verdict.ts'

/** A guard as it was read, kept so that a decision can be explained afterwards (WF-21). */
export interface GuardReading {
  readonly guard: string
  readonly path: string
  readonly passed: boolean
  readonly saw: Json
  /** What would make it pass. */
  readonly wants: Phrase
}

/** The same as it is shown. */
export interface ShownReading extends Omit<GuardReading, 'wants'> {
  readonly wants: string
}

export function shownReading(reading: GuardReading): ShownReading {
  return { ...reading, wants: textOf(reading.wants) }
}

/**
 * One line of a run's history (WF-32). The first entry of a step carries the event that caused it:
 * replaying those events gives the snapshot, and the entries themselves, again. Sentences of ours
 * are kept as phrases, never as text (WF-35); engine 1 wrote text in their place.
 *
 * @example
 * import { compile, type Entry, start } from '@statewright/core'
 *
 * const compiled = compile({ id: 'look', initial: 'done', states: { done: { type: 'final' } } })
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const history: Entry[] = [...start(compiled.value).entries]
 * console.log(history.map(({ type }) => type).join()) // run_started,run_ended
 */
export type Entry = EntryBody & {
  readonly at: number
  readonly branch?: string
  readonly cause?: RunEvent
}

export type EntryBody =
  | {
      readonly type: 'run_started'
      readonly definition: string
      readonly state: string
      /** The engine that began it; the first one wrote none (WF-36). */
      readonly engine?: number
    }
  | {
      readonly type: 'engine_changed'
      readonly from: number
      readonly to: number
      /** Hash of the snapshot that was taken over; the event holds the snapshot itself. */
      readonly snapshot: string
      /** Entries that the new engine would have answered otherwise; they stand as recorded. */
      readonly differs?: readonly number[]
    }
  | {
      readonly type: 'call_decided'
      readonly call_id: string
      readonly tool: string
      readonly state: string
      readonly decision: DecisionKind
      /** In observe mode: what would have been decided of a call that passed. */
      readonly would?: Exclude<DecisionKind, 'allow'>
      readonly code?: Code
      readonly reasons: readonly ReasonFacts[]
      readonly approval_id?: string
    }
  | {
      readonly type: 'call_finished'
      readonly call_id: string
      readonly tool: string
      readonly bytes: number
      readonly exit: 'success' | 'failure' | null
      readonly cost_micros?: number
      readonly duration_ms?: number
    }
  | {
      readonly type: 'transitioned'
      readonly from: string
      readonly to: string
      readonly event: string
      readonly data?: JsonObject
      readonly rationale?: string
      readonly guards?: readonly GuardReading[]
      readonly by: string
      readonly advice?: Words
      readonly safe_next?: true
    }
  | {
      readonly type: 'refused'
      readonly what: RunEvent['type']
      readonly code: Code
      readonly message: Phrase
      readonly event?: string
      readonly guards?: readonly GuardReading[]
    }
  | {
      readonly type: 'interrupted'
      readonly name: string
      readonly file: string
      readonly from: string
      readonly to: string
    }
  | {
      readonly type: 'returned'
      readonly from: string
      readonly to: string
      readonly event: string
    }
  | {
      readonly type: 'forked'
      readonly from: string
      readonly event: string
      readonly join: 'all' | 'any'
      readonly branches: readonly string[]
      readonly by: string
      readonly data?: JsonObject
      readonly rationale?: string
    }
  | { readonly type: 'branch_bound'; readonly caller: string }
  | { readonly type: 'branch_ended'; readonly status: BranchStatus; readonly state: string }
  | { readonly type: 'joined'; readonly to: string | null; readonly succeeded: boolean }
  | {
      readonly type: 'invoked'
      readonly from: string
      readonly event: string
      readonly workflow: string
      readonly state: string
      readonly by: string
      readonly data?: JsonObject
      readonly rationale?: string
    }
  | {
      readonly type: 'invoke_ended'
      readonly workflow: string
      readonly succeeded: boolean
      readonly to: string | null
    }
  | {
      readonly type: 'approval_opened'
      readonly approval_id: string
      readonly kind: 'transition' | 'checkpoint' | 'ask'
      readonly message: Words
      readonly event?: string
      readonly from?: string
      readonly to?: string | null
      readonly tool?: string
      readonly expires_at?: number
    }
  | {
      readonly type: 'approval_resolved'
      readonly approval_id: string
      readonly verdict: Verdict
      readonly by: string
      readonly note?: Words
      readonly always?: true
      readonly allowance?: Allowance
    }
  | { readonly type: 'paused' | 'resumed'; readonly by: string }
  | { readonly type: 'forced'; readonly from: string; readonly to: string; readonly by: string }
  | {
      readonly type: 'evidence'
      readonly name: string
      readonly proved: boolean
      readonly source: EvidenceSource
      readonly call_id: string
    }
  | {
      readonly type: 'answered'
      readonly from: string
      readonly answer: string
      readonly to: string | null
      readonly rationale?: string
      readonly by: string
    }
  | { readonly type: 'warned'; readonly message: Phrase }
  | {
      readonly type: 'notice' | 'probe' | 'gap'
      readonly text: Words
      readonly code?: Code
      readonly source?: 'process'
    }
  | {
      /** A call did what a mark stands for; `definition` may be a policy. */
      readonly type: 'marked'
      readonly definition: string
      readonly marks: readonly string[]
      readonly call_id: string
    }
  | {
      /** A result taught facts, or a call made them wrong. */
      readonly type: 'learnt' | 'forgot'
      readonly definition: string
      readonly facts: readonly string[]
      readonly call_id: string
    }
  | { readonly type: 'task_given'; readonly bytes: number; readonly by: string }
  | { readonly type: 'cost_reported'; readonly cost_micros: number }
  | { readonly type: 'run_ended'; readonly status: RunStatus; readonly state: string }
