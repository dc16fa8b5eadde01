import type { Code } from '@statewright/core/internal'

/** Codes that no event of the state helps with, and what does. */
const steps: Readonly<Partial<Record<Code, string>>> = {
  approval_pending: 'wait for a person to decide.',
  run_waiting: 'wait for a person to decide.',
  run_paused: 'resume the run, or ask a person to: "statewright run resume".',
  run_not_paused: 'continue with it, or look at it with "statewright run show".',
  run_blocked: 'ask a person.',
  locked: 'ask a person to do it.',
  not_debug: 'set "debug: true" under meta of the workflow, save it and start a new run.',
  unknown_answer: 'give one of the answers that the message names.',
  reserved_key: 'send it again without that key.',
  context_too_large: 'send it again with less data.',
  self_protection: 'do not touch what guards the run; only a person may change it.',
  policy_denied: 'do without it, or ask a person.',
  rate_exceeded: 'wait, or ask a person.',
  budget_exceeded: 'ask a person.',
  session_budget_exhausted: 'ask a person.',
  approval_rejected: 'do without it, or ask a person.',
  sandbox_required: 'ask a person.',
  environment_required: 'ask a person.',
}

/** Events of which one was sent already and refused for what is not yet so. */
const repeatable: ReadonlySet<Code> = new Set([
  'guard_failed',
  'no_candidate',
  'evidence_missing',
  'branch_not_done',
])

/**
 * What helps after a no. The events of the state are advice only where one of them can help, and
 * never the very one that was refused: it would be refused again.
 */
export function nextStep(
  code: Code,
  events: readonly { readonly event: string }[],
  refused?: string,
): string | undefined {
  const step = steps[code]
  if (step !== undefined) return step
  const names = [...new Set(events.map(({ event }) => event))].filter((name) => name !== refused)
  const others = names.length === 0 ? undefined : `send one of: ${names.join(', ')}.`
  if (refused === undefined || !repeatable.has(code)) return others
  const again = `do what the message asks for and send ${refused} again`
  return others === undefined ? `${again}.` : `${again}, or ${others}`
}
