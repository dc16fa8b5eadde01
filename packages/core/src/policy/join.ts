import { type DecisionKind, type ReasonFacts, stricter } from '../base/problem.ts'
import type { PolicyAnswer } from './compile-policy.ts'
import type { CounterTake } from './usage.ts'

/** What several policies say of one call together. */
export interface JoinedAnswer {
  readonly kind: DecisionKind
  /** The first reason of the strictest answer. */
  readonly decisive?: ReasonFacts
  /** Every reason of every policy, in the order the policies were given. */
  readonly reasons: readonly ReasonFacts[]
  /** Counters of all policies; none when the call is denied, since nothing is used then. */
  readonly takes: readonly CounterTake[]
}

/** The strictest answer wins, and all reasons are kept (PO-1). */
export function joinAnswers(answers: readonly PolicyAnswer[]): JoinedAnswer {
  const kind = answers.reduce<DecisionKind>((so, answer) => stricter(so, answer.kind), 'allow')
  const decisive = answers.find((answer) => answer.kind === kind)?.reasons[0]
  return {
    kind,
    ...(decisive === undefined ? {} : { decisive }),
    reasons: answers.flatMap((answer) => answer.reasons),
    takes: kind === 'deny' ? [] : answers.flatMap((answer) => answer.takes),
  }
}
