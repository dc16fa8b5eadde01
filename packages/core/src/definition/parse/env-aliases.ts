import { type Finding, finding } from '../finding.ts'
import type { StateDefinition, WorkflowDefinition } from '../workflow-schema.ts'
import { rawAt, rawMembers } from './raw.ts'

const aliases = [
  { alias: 'deny_env', field: 'blocked_env' },
  { alias: 'env', field: 'env_overrides' },
] as const

/** Both spellings at once: one of the two lists would be lost (WF-2). */
export function aliasesUsedTwice(value: unknown): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of rawMembers(rawAt(value, ['states']))) {
    for (const { alias, field } of aliases) {
      if (rawAt(state, [alias]) === undefined || rawAt(state, [field]) === undefined) continue
      const message = `"${alias}" is another name for "${field}"; use only one of them.`
      findings.push(finding('alias_twice', ['states', name, alias], message))
    }
  }
  return findings
}

/** Replaces the aliases by the names they stand for, so that nobody after this knows of them. */
export function withoutAliases(definition: WorkflowDefinition): WorkflowDefinition {
  const states = Object.entries(definition.states).map(
    ([name, state]) => [name, plainState(state)] as const,
  )
  return { ...definition, states: Object.fromEntries(states) }
}

function plainState(state: StateDefinition): StateDefinition {
  if (state.deny_env === undefined && state.env === undefined) return state
  const { deny_env, env, ...rest } = state
  return {
    ...rest,
    ...(deny_env === undefined ? {} : { blocked_env: deny_env }),
    ...(env === undefined ? {} : { env_overrides: env }),
  }
}
