import { hasErrors } from '../definition/finding.ts'
import type { Parsed } from '../definition/parse/parse-source.ts'
import { parseStrict } from '../definition/parse/parse-strict.ts'
import { Policy } from '../policy/policy-schema.ts'
import { checkPolicy } from './check-policy.ts'

/**
 * Parses and checks a policy that stands on its own, as strictly as one inside a definition. One
 * with errors is not handed on.
 */
export function checkPolicyText(text: string): Parsed<Policy> {
  const parsed = parseStrict(text, { schema: Policy, what: 'A policy' })
  if (parsed.definition === undefined) return parsed
  const findings = [...parsed.findings, ...checkPolicy(parsed.definition, [])]
  return hasErrors(findings) ? { findings } : { definition: parsed.definition, findings }
}
