/** Why a tool call is denied, or waits for a person. */
export const callTexts = {
  run_blocked:
    'The process {process} ended as blocked, so no tool may be used. A person can start it again: statewright process start {process} --session <session id>.',
  run_blocked_token: 'The process {process} ended as blocked. A person must start it again.',
  run_paused_locked: 'The run is paused. No tool may be used until a person resumes it.',
  run_paused_held: 'A person paused the run. No tool may be used until a person resumes it.',
  run_ended_closed:
    'The run of {definition} has ended, so no tool may be used until the next run begins. Load a workflow with statewright_load_workflow, or ask a person to start a run.',
  run_ended_strict: 'The run has ended. In strict mode no tool may be used without a run.',
  question_refused:
    'The configuration does not let {server} ask for {kind} (upstreams.{server}.{kind}).',
  no_run_strict:
    '{tool} is denied: there is no active run, and in strict mode no tool may be used without one.',
  run_needed_to_ask:
    '{source} asks a person about {capability}, which needs an active run. Start one first.',
  run_needed_to_count:
    '{source} counts calls of {capability}, which needs an active run. Start one first.',
  run_needed_to_count_model:
    'it counts what {capability} costs, which needs a run. Start the session with a workflow or a process.',
  person_must_decide: 'A person must decide first: {question}',
  session_budget_exhausted:
    'The session budget of {definition} is used up: {spent} of {most} USD are spent, or reserved for calls that are still running. No tool may be used until a person starts another run with more. Stop and tell your user.',
  session_budget_waits:
    'A call is still running under the session budget of {definition} ({spent} of {most} USD used), and its cost is not known yet. Try again when it has ended.',
  tool_not_allowed: '{tools:and} may not be used in {state}. Allowed: {allowed:none}.',
  tool_not_allowed_strict: '{tools:and} may not be used in {state}. Allowed: none, in strict mode.',
  iterations_exhausted:
    'All {most} tool calls allowed in {state} are used up. Send an event to move on.',
  context_budget_exhausted:
    'Tool results in {state} have used {used} of {most} bytes. Send an event to move on.',
  edit_unreadable: 'Statewright cannot tell what {tool} would change: {why}',
  unknown_shell_tool:
    'Statewright does not know the tool {tool}. It looks like one that runs commands, which {state} limits. Use Bash, or ask your user to list {tool} in allowed_tools.',
  unknown_edit_tool:
    'Statewright does not know the tool {tool}. It looks like one that changes files, which {state} watches. Use Edit or Write, or ask your user to list {tool} in allowed_tools.',
  edit_too_large:
    'The change to {file} has {lines} lines; one edit may have {most}. Make smaller edits.',
  too_many_files:
    '{used} of the {most} files that {state} allows have been changed, so {files} may not be changed too.',
  command_unreadable: 'The call has no readable command.',
  call_in_background:
    'The command would keep running in the background, which this state does not allow.',
  gate_closed:
    '{capability} is closed until the process {process} is completed. Answer its questions with process_step.',
  mail_unreadable: 'The mail cannot be checked: {why}.',
  mail_without_sender: 'The mail names no sender, and only some senders are allowed.',
  mail_sender_not_allowed: 'Mail from {sender} is not allowed.',
  mail_recipients_not_allowed: 'Mail to {recipients} is not allowed.',
  mail_many_recipients_not_allowed: 'Mail to {recipients} and {more} more is not allowed.',
  mail_limit:
    'This run may send {most} mails and has sent {sent}; {count} more would be too many. Nothing was sent.',
  condition_failed: '{told:sentences}',
  condition_message: '{message}',
  condition_not_met: 'The call requires {condition}, which is not true.',
  condition_unknown: 'The call requires {condition}, which is not known to be true.',
  condition_saw_all: 'Values: {saw}.',
  condition_saw: '{what} is {value}',
  condition_saw_nothing: '{what} is unknown',
  condition_taught_by: 'To learn facts.{fact}, call {tools:or}.',
  policy_denied:
    'The policy denies {capability}. Work without it, or ask a person to change the policy.',
  policy_denied_when:
    'The policy denies {capability} when {condition}. Work without it, or ask a person to change the policy.',
  policy_unmatched:
    'No rule of the policy allows this call. Work without it, or ask a person to add a rule.',
  approval_required: 'A person must approve calls of {capability} first.',
  approval_required_when: 'A person must approve calls of {capability} first when {condition}.',
  approval_rejected: 'A person rejected this call. It stays rejected for the rest of the run.',
  approvals_full: '{count} calls are already waiting for a person. Wait until one is answered.',
  rate_exceeded:
    'The policy allows {most} calls of {capability} in {window:seconds} seconds; {usage}',
  rate_of_one_exceeded:
    'The policy allows 1 call of {capability} in {window:seconds} seconds; {usage}',
  budget_exceeded: 'The {period} budget of {capability} is {most:usd}; {usage}',
  budget_waits:
    'A call under the {period} budget of {capability} ({most:usd}, {used:usd} used) is still running, and its cost is not known yet. Try again when it has ended, at the latest at {until:time}.',
  usage_unknown: 'what was used is unknown, so the call is denied.',
  calls_used: '{used} used.',
  calls_used_until: '{used} used. Try again after {until:time}.',
  money_used: '{used:usd} used.',
  money_used_until: '{used:usd} used. Try again after {until:time}.',
  call_id_reused: 'The call id {call} was already used. Each call needs an id of its own.',
  own_data: 'The call would reach the data or keys of Statewright itself.',
  own_guard: 'The call would change what guards it: the settings of Statewright or of the client.',
  own_program:
    'The call would change the program that guards it: Statewright, what it loads, or its Node.',
  around_the_rules: 'The call would get around the rules.',
  protected_paths_ask:
    '{files} would run later by itself, as a hook, a CI job or an editor task. A person has to approve the change.',
  unjudged_call:
    'A call ran in this session without being checked. Nothing may run until a person has looked at it.',
  ask_uncontained:
    '{finding}. {runner} cannot run it in one, so a person is asked whether it may run without',
  sandbox_missing_here:
    'Shell calls in {state} may only run in a sandbox, and this machine has none. Ask a person to install bubblewrap.',
  sandbox_not_by_runner:
    'Shell calls in {state} may only run in a sandbox, and {runner} runs them without one. Use the shell tool of the gateway.',
  environment_required: '{state} sets {variables} for its shell calls, which {runner} cannot do.',
  speaks_to_us:
    'The call would connect to Statewright itself. An agent may only use the tools of Statewright.',
  ends_us: 'The call would stop Statewright itself.',
} as const
