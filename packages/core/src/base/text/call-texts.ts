/** Why a tool call is denied, or waits for a person. */
export const callTexts = {
  run_blocked:
    'The process {process} ended blocked: no tool may be used. A person frees the session with: statewright process start {process} --session <its id>.',
  run_blocked_token: 'The process {process} ended blocked. A person must start another run of it.',
  run_paused_locked: 'The run is paused: no tool may be used until a person resumes it.',
  run_paused_held: 'A person paused the run: no tool may be used until a person resumes it.',
  run_ended_closed:
    'The run of {definition} has ended, and no tool may be used until the next run begins: load one with statewright_load_workflow, or ask a person to start one.',
  run_ended_strict: 'The run has ended, and in strict mode no run means no tools.',
  question_refused:
    'The configuration does not let {server} ask for {kind} (upstreams.{server}.{kind}).',
  no_run_strict: 'No run is active, and in strict mode that means no tools: {tool}.',
  run_needed_to_ask:
    '{source} asks a person about calls of {capability}, which needs an active run: start one.',
  run_needed_to_count:
    '{source} counts calls of {capability}, which needs an active run: start one.',
  run_needed_to_count_model:
    'it counts what {capability} costs, which needs a run. Start the session with a workflow or a process.',
  person_must_decide: 'A person must decide first: {question}',
  session_budget_exhausted:
    'The session budget of {definition} is used up: {spent} of {most} USD are spent, or reserved by calls that still run. No tool works until a person starts another run with more. Stop and tell your user.',
  session_budget_waits:
    'A call whose cost is not known yet is still running under the session budget of {definition} ({spent} of {most} USD used). Try again when it has ended.',
  tool_not_allowed: '{tools:and} may not be used in {state}. Allowed: {allowed:none}.',
  tool_not_allowed_strict: '{tools:and} may not be used in {state}. Allowed: none, in strict mode.',
  iterations_exhausted: 'All {most} tool calls of {state} are used. Transition now.',
  context_budget_exhausted: 'Tool results in {state} used {used} of {most} bytes. Transition now.',
  edit_unreadable: 'What {tool} would change cannot be read: {why}',
  unknown_shell_tool:
    '{tool} is no tool that Statewright knows, and looks like one that runs commands, which {state} limits. Use Bash, or ask your user to list {tool} in allowed_tools.',
  unknown_edit_tool:
    '{tool} is no tool that Statewright knows, and looks like one that changes files, which are watched in {state}. Use Edit or Write, or ask your user to list {tool} in allowed_tools.',
  edit_too_large: 'The change of {file} has {lines} lines; {most} are allowed.',
  too_many_files:
    '{used} of {most} files were changed in {state}, so {files} may not be changed as well.',
  command_unreadable: 'The call carries no command that can be read.',
  call_in_background: 'The command would go on in the background, which this state does not allow.',
  gate_closed:
    '{capability} stays closed until the process {process} is completed: answer it with process_step.',
  mail_unreadable: 'The mail cannot be judged: {why}.',
  mail_without_sender: 'The mail names no sender, and only some senders are allowed.',
  mail_sender_not_allowed: 'Mail from {sender} is not allowed.',
  mail_recipients_not_allowed: 'Mail to {recipients} is not allowed.',
  mail_many_recipients_not_allowed: 'Mail to {recipients} and {more} more is not allowed.',
  mail_limit:
    'This run may send {most} mails and has sent {sent}; {count} more do not fit, and nothing was sent.',
  condition_failed: '{told:sentences}',
  condition_message: '{message}',
  condition_not_met: 'The call needs {condition}, which does not hold.',
  condition_unknown: 'The call needs {condition}, which is not known to hold.',
  condition_saw_all: 'Seen: {saw}.',
  condition_saw: '{what} is {value}',
  condition_saw_nothing: '{what} is not known',
  condition_taught_by: 'A call of {tools:or} teaches facts.{fact}.',
  policy_denied: 'The policy denies {capability}. Do without, or ask a person to change it.',
  policy_denied_when:
    'The policy denies {capability} when {condition}. Do without, or ask a person to change it.',
  policy_unmatched:
    'No rule of the policy allows this call. Do without, or ask a person to add one.',
  approval_required: 'A person must approve calls of {capability} first.',
  approval_required_when: 'A person must approve calls of {capability} first when {condition}.',
  approval_rejected: 'A person rejected this very call; it stays rejected for the rest of the run.',
  approvals_full: '{count} calls already wait for a person. Let one be answered first.',
  rate_exceeded:
    'The policy allows {most} calls of {capability} in {window:seconds} seconds; {usage}',
  rate_of_one_exceeded:
    'The policy allows 1 call of {capability} in {window:seconds} seconds; {usage}',
  budget_exceeded: 'The {period} budget of {capability} is {most:usd}; {usage}',
  budget_waits:
    'A call under the {period} budget of {capability} ({most:usd}, {used:usd} used) is still running, and its cost is not known yet. Try again when it has ended, at the latest at {until:time}.',
  usage_unknown: 'what was used is not known, so the call is denied.',
  calls_used: '{used} used.',
  calls_used_until: '{used} used. There is room again at {until:time}.',
  money_used: '{used:usd} used.',
  money_used_until: '{used:usd} used. There is room again at {until:time}.',
  call_id_reused: 'The call id {call} was used before; each call needs an id of its own.',
  own_data: 'The call would reach the data or keys of Statewright itself.',
  own_guard: 'The call would change what guards it: settings of Statewright or of the client.',
  own_program:
    'The call would change the program that guards it: Statewright, what it loads, or its Node.',
  around_the_rules: 'The call would look around the rules.',
  protected_paths_ask:
    'What lies at {files} runs later by itself; a person has to agree to a change.',
  unjudged_call:
    'A call ran in this session without being judged. Until a person has looked, nothing may run.',
  ask_uncontained:
    '{finding}. {runner} cannot contain it; a person is asked whether it may run as it is',
  sandbox_missing_here:
    'Shell calls in {state} may run in a sandbox only, and this machine has none. A person can install bubblewrap.',
  sandbox_not_by_runner:
    'Shell calls in {state} may run in a sandbox only, and {runner} runs them without one. Use the shell tool of the gateway.',
  environment_required:
    'Shell calls in {state} need their own value of {variables}, and {runner} runs commands in an environment of its own.',
  speaks_to_us:
    'The call would speak to Statewright itself; its own tools are the only door for an agent.',
  ends_us: 'The call would end Statewright itself.',
} as const
