import type { Code } from '@statewright/core/internal'

/** What helps where no rule of the definition should give way, or where none can. */
const help: Partial<Record<Code, string>> = {
  self_protection:
    'An agent may never change what guards it, whatever a workflow says. Do it yourself.',
  agent_spawn:
    'An agent may not start another agent that nothing guards. Use a session or a branch.',
  run_blocked: 'The process ended as blocked. Start it again once the reason is gone.',
  run_waiting: 'A person has to decide first: see the approvals.',
  run_paused: 'Resume the run.',
  no_active_run: 'Start a run: without one, nothing is allowed here.',
  session_budget_exhausted: 'Start another run, or raise session_budget_usd of the process.',
  edit_unreadable:
    'The call itself has to change: its edit cannot be read, so no limit can be checked.',
  shell_unreadable:
    'Write the command out, with plain names and files and nothing that is computed.',
  environment_required:
    'Use a client whose commands Statewright can wrap, or the shell tool of the gateway.',
  sandbox_required: 'Make the sandbox available on this machine, or change `sandbox` of the state.',
  condition_failed:
    'The message says what the call needs, what was seen, and which call would help.',
  gate_closed: 'The process must be completed first; then its gate opens.',
  email_not_allowed: 'Add the address to email_config of the process, if mail may go there.',
  email_limit: 'Raise max_emails_per_session of the process, or start another run.',
  policy_denied:
    'A policy says no for every state. If it should not, change the policy; a workflow cannot.',
  rate_exceeded: 'Wait until the window has passed, or raise the rate in the policy.',
  budget_exceeded: 'Wait for the next period, or raise the budget in the policy.',
  approval_required: 'A person has to approve it: see the approvals.',
  approval_rejected: 'A person rejected exactly this call. The agent may ask about another one.',
  approval_expired: 'Nobody answered in time. The agent may ask again.',
  approvals_full: 'Too many questions are waiting. Answer some of them: see the approvals.',
  question_refused:
    'The MCP server may not ask during a call. To allow it, change its entry in the configuration.',
  unjudged_call:
    'A call ran without being checked. Look at the run, then run "statewright run trust".',
  unknown_event: 'The state has no such event. Add it under `on`, or send one that it has.',
  guard_failed: 'The guard reads the context: send the event with data that lets it pass.',
  no_candidate: 'No candidate passes. Send data that lets one pass, or add one without a guard.',
  evidence_missing: 'A claim is not evidence: run the call that proves it, and let it succeed.',
  approval_pending: 'A person has to decide first: see the approvals.',
}

export function helpFor(code: Code): string {
  return help[code] ?? 'No change to this definition would allow it.'
}
