import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { Scene } from './scene.ts'

/** What no environment variable can be called; a person who writes it means a pattern. */
const notInNames = /[*?$=\s]/

/**
 * `blocked_env: ['*_TOKEN']` would block a variable of just that name, that is nothing: a
 * restriction that vanishes (WF-2, SH-9).
 */
export function checkEnvNames({ graph }: Scene): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    const blocked = state.blocked_env ?? state.deny_env ?? []
    const list = state.blocked_env === undefined ? 'deny_env' : 'blocked_env'
    for (const [index, variable] of blocked.entries()) {
      if (!notInNames.test(variable)) continue
      const message = `${quote(variable)} is no name of a variable; patterns are not known here.`
      findings.push(finding('invalid_env_name', ['states', name, list, index], message))
    }
  }
  return findings
}
