import type { Code, ReasonFacts } from '../base/problem.ts'

/**
 * Which code stands on top when several rules deny: what no transition can help comes first, what
 * the state says next, policies last.
 */
const order: readonly Code[] = [
  'self_protection',
  'question_refused',
  'agent_spawn',
  'run_blocked',
  'run_waiting',
  'run_paused',
  'no_active_run',
  'unjudged_call',
  'session_budget_exhausted',
  'tool_not_allowed',
  'iterations_exhausted',
  'context_budget_exhausted',
  'edit_unreadable',
  'edit_too_large',
  'too_many_files',
  'shell_unreadable',
  'command_not_allowed',
  'shell_write',
  'env_blocked',
  'shell_background',
  'sandbox_required',
  'environment_required',
  'gate_closed',
  'condition_failed',
  'email_not_allowed',
  'email_limit',
  'policy_denied',
  'approval_rejected',
  'rate_exceeded',
  'budget_exceeded',
  'approvals_full',
  'approval_required',
]

const ranks: ReadonlyMap<Code, number> = new Map(order.map((code, index) => [code, index]))

export function byGravity(reasons: readonly ReasonFacts[]): readonly ReasonFacts[] {
  if (reasons.length < 2) return reasons
  return reasons.toSorted((left, right) => rank(left.code) - rank(right.code))
}

function rank(code: Code): number {
  return ranks.get(code) ?? order.length
}
