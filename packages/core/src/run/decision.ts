import type { Code, DecisionKind, Reason, ReasonFacts } from '../base/problem.ts'
import type { WayStep } from '../machine/way.ts'
import type { CounterTake } from '../policy/usage.ts'
import type { RunPlan } from './run-plan.ts'

/**
 * What is to become of a tool call, and why (WF-14).
 *
 * @example
 * import type { Decision } from '@statewright/core'
 *
 * function text({ kind, message }: Decision): string {
 *   return kind === 'allow' ? 'go on' : (message ?? kind)
 * }
 */
export interface Decision {
  readonly kind: DecisionKind
  /** The gravest reason's code; absent when the call is allowed. */
  readonly code?: Code
  readonly message?: string
  /** Every reason of every rule that spoke against the call, gravest first. */
  readonly reasons: readonly Reason[]
  /** Tools as written in the current state; null when any tool may be used. */
  readonly allowedTools: readonly string[] | null
  readonly events: readonly { readonly event: string; readonly target: string }[]
  /** The shortest way to a state that allows the wanted tool, when there is one. */
  readonly way?: readonly WayStep[]
  readonly approvalId?: string
  /** Rules whose question must be answered by a person first. */
  readonly asks: readonly AskRule[]
  /** Rates and budgets that the call uses when it is let through. */
  readonly takes: readonly CounterTake[]
  /** How it may run when it is let through: anyone who cannot keep to this may not run it. */
  readonly plan: RunPlan
  /** In observe mode: it passes all the same. */
  readonly passes?: true
}

export interface AskRule {
  readonly rule: string
  readonly reason: ReasonFacts
}
