import { type Code, codes, findingCodes } from '@statewright/core/internal'
import { table } from './fields.ts'

/** What each code means and what helps; a code without words here does not compile. */
const meanings: Readonly<Record<Code, string>> = {
  self_protection:
    'The call would read or change the data, configuration or program of Statewright, or the ' +
    'settings of a client. No workflow can allow that; a person has to do it.',
  agent_spawn:
    'The command would start another agent, whose calls nobody would check. Use a session or ' +
    'a branch instead.',
  run_blocked: 'The process ended as blocked. A person has to start another run.',
  run_waiting: 'The run waits for the decision of a person. Until then no tool may be used.',
  run_paused: 'The run is paused. The message says who may resume it.',
  no_active_run: 'No run is active, and here no tool may be used without one. Start a run.',
  session_budget_exhausted: 'The run has spent its whole budget. A person may start another run.',
  tool_not_allowed:
    'The current state does not list the tool. The message says which tools it allows.',
  iterations_exhausted:
    'All tool calls that the state allows are used up. Send an event to move on.',
  context_budget_exhausted:
    'The tool results in this state have used up its budget. Send an event to move on.',
  edit_unreadable:
    'Statewright cannot tell what the edit would change, so it cannot check the limits. Write ' +
    'the edit in another way.',
  edit_too_large: 'The edit changes more lines than the state allows at once. Make smaller edits.',
  too_many_files: 'The state allows no more files to be changed.',
  command_not_allowed: 'The state lists its commands, and this one is not among them.',
  shell_write: 'The command would change something, and the state only allows reading.',
  shell_unreadable:
    'The text of the command does not show what it does. Write it out more plainly.',
  shell_background: 'The command would keep running after the call. Run it in the foreground.',
  env_blocked: 'The command would read an environment variable that is blocked in this state.',
  sandbox_required:
    'The state requires a sandbox, and the program that would run the call has none.',
  environment_required:
    'The state sets environment variables, and the program that would run the command cannot ' +
    'set them.',
  condition_failed:
    'A condition on the call is not true, or not known to be true. The message says what it needs.',
  gate_closed: 'The tool is denied until the process is completed. Answer its questions.',
  email_not_allowed:
    'The sender or a recipient of the mail is not allowed, or the mail cannot be read.',
  email_limit: 'The run has sent as many mails as it may.',
  policy_denied: 'A policy denies the call. Only a person can change the policy.',
  rate_exceeded:
    'The limit of calls in this time window is reached. The message says when to try again.',
  budget_exceeded: 'The budget of the policy is used up. The message says when to try again.',
  approval_required: 'A person was asked. Make exactly the same call again once it is approved.',
  approval_rejected: 'A person rejected the call or event.',
  approval_expired: 'Nobody answered in time.',
  approvals_full: 'Too many questions of this run are already waiting for a person.',
  unjudged_call: 'A tool ran without being checked. A person has to look at the run (`run trust`).',
  question_refused:
    'An MCP server behind the gateway asked the model or a person during a call, and the ' +
    'configuration does not allow that.',
  unknown_event: 'The state has no such event. The message lists the events that it has.',
  guard_failed: 'A guard does not pass. The message says what it needs and what it read.',
  no_candidate: 'The event has several targets, and the guards of none of them pass.',
  evidence_missing:
    'Statewright has not seen the required call succeed, or a file has changed since. Run the ' +
    'command that the message names.',
  reserved_key: 'Data of an event may not set keys that begin with `_` or `$`.',
  context_too_large: 'The context of the run would grow too large. Send less data.',
  approval_pending: 'Another transition is waiting for a person.',
  approval_resolved: 'The approval was already answered.',
  approval_withdrawn: 'The question was withdrawn, because the run has moved on.',
  self_approval:
    'Only a person may do this, not an agent or a program that a guarded client started.',
  no_return: 'No interrupt is active, so `$return` has no target.',
  unknown_branch: 'The fork has no such branch, or no fork is open.',
  fork_in_branch: 'A branch cannot fork again.',
  branch_not_done: 'The branch has not reached its final state, or has already ended.',
  branch_bound: 'The branch is bound to another agent, or this agent to another branch.',
  run_not_active: 'The run has ended, or has moved on since.',
  run_not_paused: 'The run is not paused.',
  not_debug: 'Only a workflow with `meta.debug: true` can be forced into a state.',
  locked: 'Only a person may do this, or the run belongs to another agent or session.',
  invoke_too_deep: 'Too many definitions invoke each other: they are nested too deeply.',
  unknown_answer: 'The question has no such answer. The message lists the answers.',
  unknown_call: 'The run has allowed no call with this id.',
  call_id_reused: 'Another call already used this id. Each call needs an id of its own.',
  unknown_state: 'The definition has no such state.',
  unknown_workflow: 'No workflow, process or template has this name.',
  unknown_run: 'There is no such run, or it belongs to somebody else.',
  run_archived:
    'This part of the history was moved into the archive (`keep`). The message names the file.',
  unknown_approval: 'There is no such approval.',
  session_not_found: 'There is no such session.',
  state_transition_invalid: 'The session cannot do this in its current state.',
  task_taken: 'Somebody else has claimed the task, or it is already done.',
  name_taken: 'The name or file already exists and was not overwritten.',
  saved_meanwhile: 'Somebody saved a newer version after you opened yours.',
  history_broken: 'The stored history is incomplete or was changed.',
  definition_invalid: 'The definition has errors. The findings name them.',
  body_too_large: 'The request is larger than the server accepts.',
  file_unreadable: 'The file does not exist or cannot be read.',
  usage: 'The command or request is not valid. The message says what it should be.',
  unauthenticated: 'The request has no token, or the token is invalid or revoked.',
  not_permitted: 'This kind of token, or the role of this person, may not do this.',
  foreign_host: 'The request used a host name that does not belong to this server.',
  foreign_origin: 'The request came from a page of another site.',
  step_up_required: 'You have to confirm that it is you: with a passkey, the PIN or a fresh login.',
  pin_wrong: 'The PIN is wrong.',
  pin_locked:
    'This login has entered too many wrong PINs and has to wait. The message says how long.',
  passkey_wrong: 'The passkey was not accepted.',
  login_pending: 'Nobody has confirmed the login yet.',
  login_expired: 'The login link or code was already used, or has expired.',
  oidc_only: 'People log in with an identity provider here: links, passkeys and PINs are off.',
  oidc_refused: 'The answer of the identity provider was not accepted. The message says why.',
  oidc_unavailable: 'The identity provider cannot be reached, or is not set up.',
  too_many_requests: 'Too many requests, sessions or replays at once. Try again in a moment.',
  not_found: 'There is nothing with this name or at this address.',
  unknown_token: 'There is no such token.',
  unknown_model: 'The price of the model is not known. Add it to `prices` in the configuration.',
  upstream_unavailable:
    'The MCP server behind the gateway, or the mail service, cannot be used at the moment.',
  upstream_timeout:
    'The MCP server behind the gateway, or the mail service, did not answer in time. Check ' +
    'whether the call took effect.',
  upstream_failed: 'The MCP server behind the gateway, or the mail service, failed.',
  tool_changed:
    'An MCP server describes its tool differently from when a person accepted it. They can ' +
    'accept the change with `config accept`.',
  store_unavailable: 'The database cannot be used. Until it can, guarded calls are denied.',
  server_stopping: 'The server is about to stop. Ask another server node.',
  server_unreachable: 'No server answers. Start it with `statewright up`.',
  config_invalid: 'The configuration, or a settings file, cannot be used.',
  scenario_failed: 'A scenario ended differently from what it expects.',
  port_unusable: 'The server cannot listen on the port.',
  internal: 'Something in Statewright itself failed. A call that was to be checked is denied.',
}

type FindingCode = keyof typeof findingCodes

/** The same for what is found in a definition. */
const findingMeanings: Readonly<Record<FindingCode, string>> = {
  too_large: 'The definition has too many bytes.',
  not_text: 'The file is not text.',
  syntax: 'The text is not valid JSON or YAML, or is empty.',
  duplicate_key: 'The same key appears twice in one object.',
  alias_cycle: 'A YAML alias refers to a value that contains it.',
  too_many_aliases: 'The YAML follows too many aliases, or expands to too many values.',
  unsupported_yaml:
    'The YAML uses something that is not supported, such as tags or several documents.',
  too_deep: 'Values are nested too deeply.',
  too_many_states: 'The definition has too many states.',
  too_many_findings: 'There are more findings than are shown.',
  not_an_object: 'The definition is not an object with states.',
  unknown_field: 'There is no such field. Check its spelling.',
  missing_field: 'A required field is missing.',
  wrong_type: 'A field has a value of the wrong type.',
  wrong_value: 'A field has a value that is not allowed.',
  reserved_name: 'The name is reserved or cannot be used.',
  mixed_patterns: 'A transition or guard mixes forms that cannot be combined.',
  alias_twice: 'A field is given under two names, such as `env` and `env_overrides`.',
  unknown_initial: 'The initial state does not exist.',
  unknown_target: 'The target state does not exist.',
  unknown_guard: 'The guard does not exist.',
  unknown_evidence: 'The evidence does not exist.',
  unknown_fact: 'The fact does not exist.',
  unknown_mark: 'The mark does not exist.',
  unknown_interrupt_target: 'The target state of an interrupt does not exist.',
  unknown_safe_next: 'The state under `safe_next` does not exist.',
  unknown_fork_state: 'A state of a branch does not exist.',
  unknown_fork_target: 'The state that follows a fork does not exist.',
  unknown_invoke_target: 'The state that follows an invoked definition does not exist.',
  unknown_workflow: 'The invoked workflow or process is not known. A run needs it to start.',
  unknown_tool: 'No tool with this name is known. Check its spelling.',
  no_final_state: 'No state is final, so no run can end.',
  final_with_transitions: 'A final state has transitions, but a run ends there.',
  outcome_not_final: 'A state that is not final has an outcome.',
  invalid_glob: 'The file pattern cannot be used.',
  invalid_capability: 'The name of a capability is not valid.',
  invalid_tool_pattern: 'The name or pattern of a tool is not valid.',
  invalid_env_name: 'The name of an environment variable is not valid.',
  unusable_command: 'The command in the list can never match.',
  invalid_guard_value: 'The guard compares with a value that its operator cannot use.',
  invalid_condition: 'The condition cannot be read, or is not true or false.',
  return_outside_interrupt: '`$return` is used where no interrupt leads.',
  fork_terminal_not_final: 'The state that ends a branch is not final.',
  fork_without_branches: 'The fork has no branches.',
  fork_in_branch: 'A branch reaches another fork.',
  closure_too_large: 'The definition invokes too many others, directly or indirectly.',
  unreachable_state: 'Nothing leads to the state.',
  shared_branch_state: 'Two branches use the same state.',
  no_way_to_final: 'No final state can be reached from the state.',
  guard_field_unset:
    'The guard reads a field that nothing sets, or that nothing can have set by then.',
  guarded_dead_end:
    'A run can get stuck: every event of the state has a guard that may never pass.',
  evidence_covers_nothing:
    'No edit makes the evidence stale: `stale_after` is missing or matches no file.',
  evidence_leaves_out: 'Some source files can change while all evidence stays valid.',
  approval_mode_none: 'The approval waits for nobody, because `approval_mode` is not `ui`.',
  approval_never_asked: '`meta` announces an approval, but nothing asks for one.',
  candidate_after_default: 'The candidate is never tried: one before it has no guard.',
  safe_next_bypass:
    'Any unknown event leads to a state that otherwise needs a guard or an approval.',
  outcome_unclear: 'The final state sounds like a failure, but counts as a success.',
  event_wildcard: '`*` is an event of that name and does not match other events.',
  interrupt_ends_run: 'The interrupt leads to a final state, which ends the run.',
  interrupt_without_return: 'Nothing leads back from the interrupt with `$return`.',
  interrupt_never_fires: 'An earlier interrupt has the same trigger.',
  commands_without_shell: 'The state lists commands, but allows no shell.',
  instructions_cut: 'The instructions are longer than what the agent reads.',
  meta_near_miss: 'A key under `meta` looks like a misspelled one.',
  rule_never_reached: 'An earlier rule of the policy covers the same calls.',
  capability_near_miss: 'The capability looks like a misspelled tool.',
  role_not_read: 'The policy belongs to a project, so its `role` is ignored.',
  answers_not_offered:
    'The process does not allow `process_step`, so an agent at `/mcp/process` cannot answer.',
  fact_opens: 'The condition allows calls until the fact is known. Use a mark instead.',
  condition_without_message: 'The condition has no `message` that tells the agent what to do.',
  condition_type: 'The condition compares values of different types.',
  unknown_argument: 'The tool has no argument with this name.',
}

export function codesPage(): string {
  // The table has exactly the codes as keys; `Object.entries` forgets that.
  const entries = Object.entries(meanings) as [Code, string][]
  const rows = entries.map(([code, meaning]) => {
    const { status, exit, retry } = codes[code]
    return [`\`${code}\``, String(status), String(exit), retry ? 'may help' : '', meaning]
  })
  // These, too, are exactly the keys of the table.
  const found = Object.entries(findingMeanings) as [FindingCode, string][]
  const findings = found.map(([code, meaning]) => [`\`${code}\``, findingCodes[code], meaning])
  return [
    table(['code', 'status', 'exit', 'try again', 'meaning'], rows),
    '## Findings in definitions',
    'A definition with an error cannot be saved or used; one with warnings can.',
    table(['finding', 'severity', 'meaning'], findings),
  ].join('\n\n')
}
