/** How grave a finding is: an error refuses the definition, a warning does not. */
export type Severity = 'error' | 'warning'

/** Keys and indexes from the top of a definition to a place in it. */
export type Path = readonly (string | number)[]

/**
 * Something the author of a definition should know, with its place.
 *
 * @example
 * import { check, type Finding } from '@statewright/core'
 *
 * const shown = ({ code, path }: Finding) => `${code} at ${path.join('.')}`
 * console.log(check({ id: 'look', states: {} }).map(shown)[0]) // missing_field at initial
 */
export interface Finding {
  /** Stable; what it means never changes. */
  readonly code: FindingCode
  readonly severity: Severity
  readonly path: Path
  readonly message: string
  readonly line?: number
  readonly column?: number
}

/** Every finding and how grave it is. */
export const findingCodes = {
  // The text could not be read.
  too_large: 'error',
  not_text: 'error',
  syntax: 'error',
  duplicate_key: 'error',
  alias_cycle: 'error',
  too_many_aliases: 'error',
  unsupported_yaml: 'error',
  too_deep: 'error',
  too_many_states: 'error',
  too_many_findings: 'warning',
  // The shape is wrong.
  not_an_object: 'error',
  unknown_field: 'error',
  missing_field: 'error',
  wrong_type: 'error',
  wrong_value: 'error',
  reserved_name: 'error',
  mixed_patterns: 'error',
  alias_twice: 'error',
  // Names that lead nowhere.
  unknown_initial: 'error',
  unknown_target: 'error',
  unknown_guard: 'error',
  unknown_evidence: 'error',
  unknown_fact: 'error',
  unknown_mark: 'error',
  unknown_interrupt_target: 'error',
  unknown_safe_next: 'error',
  unknown_fork_state: 'error',
  unknown_fork_target: 'error',
  unknown_invoke_target: 'error',
  unknown_workflow: 'warning',
  unknown_tool: 'warning',
  // Rules that cannot work.
  no_final_state: 'error',
  final_with_transitions: 'error',
  outcome_not_final: 'error',
  invalid_glob: 'error',
  invalid_capability: 'error',
  invalid_tool_pattern: 'error',
  invalid_env_name: 'error',
  unusable_command: 'warning',
  invalid_guard_value: 'error',
  invalid_condition: 'error',
  return_outside_interrupt: 'error',
  fork_terminal_not_final: 'error',
  fork_without_branches: 'error',
  fork_in_branch: 'error',
  closure_too_large: 'error',
  // Rules that probably do not do what was meant.
  unreachable_state: 'warning',
  shared_branch_state: 'warning',
  no_way_to_final: 'warning',
  guard_field_unset: 'warning',
  guarded_dead_end: 'warning',
  evidence_covers_nothing: 'warning',
  evidence_leaves_out: 'warning',
  approval_mode_none: 'warning',
  approval_never_asked: 'warning',
  candidate_after_default: 'warning',
  safe_next_bypass: 'warning',
  outcome_unclear: 'warning',
  event_wildcard: 'warning',
  interrupt_ends_run: 'warning',
  interrupt_without_return: 'warning',
  interrupt_never_fires: 'warning',
  commands_without_shell: 'warning',
  instructions_cut: 'warning',
  meta_near_miss: 'warning',
  rule_never_reached: 'warning',
  capability_near_miss: 'warning',
  role_not_read: 'warning',
  answers_not_offered: 'warning',
  fact_opens: 'warning',
  condition_without_message: 'warning',
  condition_type: 'warning',
  unknown_argument: 'warning',
} as const satisfies Readonly<Record<string, Severity>>

export type FindingCode = keyof typeof findingCodes

export function finding(code: FindingCode, path: Path, message: string): Finding {
  return { code, severity: findingCodes[code], path, message }
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((one) => one.severity === 'error')
}
