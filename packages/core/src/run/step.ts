import type { Code } from '../base/problem.ts'
import type { BudgetTake, CounterTake } from '../policy/usage.ts'
import type { Decision } from './decision.ts'
import type { Entry, ShownReading } from './entries.ts'
import type { RunSnapshot, RunStatus } from './snapshot.ts'
import type { Verdict } from './verdict.ts'

/** A way on: an event that may be sent and where it leads. */
export interface WayOn {
  readonly event: string
  readonly target: string
}

/** The rules said no. The snapshot is the very same as before (invariant 5). */
export interface Refusal {
  readonly code: Code
  readonly message: string
  readonly events: readonly WayOn[]
  readonly guards?: readonly ShownReading[]
  readonly approvalId?: string
}

/** Work outside that follows from an event. It is done after the entries are durable. */
export type RunAction =
  | {
      readonly type: 'open_approval'
      readonly approvalId: string
      readonly kind: 'transition' | 'checkpoint' | 'ask'
      readonly message: string
      readonly expiresAt: number | null
    }
  | { readonly type: 'close_approval'; readonly approvalId: string; readonly verdict: Verdict }
  | {
      readonly type: 'take_counters'
      readonly callId: string
      readonly capability: string
      readonly takes: readonly CounterTake[]
    }
  | {
      readonly type: 'settle_counters'
      readonly callId: string
      readonly capability: string
      readonly costMicros: number | null
    }
  | {
      readonly type: 'charge_counters'
      readonly takes: readonly BudgetTake[]
      readonly costMicros: number
    }
  | { readonly type: 'end_run'; readonly status: RunStatus }

/** What the caller is told. */
export type Answer =
  | { readonly type: 'started'; readonly state: string }
  | {
      readonly type: 'decided'
      readonly decision: Decision
      readonly notices: readonly string[]
    }
  | {
      readonly type: 'moved'
      readonly from: string
      readonly to: string
      readonly event: string
      readonly effects: readonly Effect[]
      readonly warning?: string
    }
  | { readonly type: 'pending_approval'; readonly approvalId: string; readonly message: string }
  | { readonly type: 'approval_ended'; readonly verdict: Verdict; readonly code?: Code }
  | { readonly type: 'recorded'; readonly notices: readonly string[] }

/** What a move set off, as the sender of the event is told. */
export type Effect =
  | 'forked'
  | 'branch_completed'
  | 'branch_failed'
  | 'joined'
  | 'fork_failed'
  | 'subflow_started'
  | 'subflow_completed'
  | 'subflow_failed'
  /** A detour took the place of the event (WF-28). */
  | 'interrupted'
  | 'run_ended'

export interface Step {
  readonly run: RunSnapshot
  readonly entries: readonly Entry[]
  readonly actions: readonly RunAction[]
  readonly answer: Answer
  readonly refusal?: Refusal
}
