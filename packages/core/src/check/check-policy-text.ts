import { hasErrors } from '../definition/finding.ts'
import type { Parsed } from '../definition/parse/parse-source.ts'
import { parseStrict } from '../definition/parse/parse-strict.ts'
import { Policy } from '../policy/policy-schema.ts'
import { checkPolicyConditions } from './check-conditions.ts'
import { checkPolicy } from './check-policy.ts'

/**
 * Parses and checks a policy that stands on its own, as strictly as one inside a definition. One
 * with errors is not handed on.
 */
export function checkPolicyText(text: string): Parsed<Policy> {
  const parsed = parseStrict(text, { schema: Policy, what: 'A policy' })
  if (parsed.definition === undefined) return parsed
  const { definition } = parsed
  const checked = [...checkPolicy(definition, []), ...checkPolicyConditions(definition, [])]
  const findings = [...parsed.findings, ...checked]
  return hasErrors(findings) ? { findings } : { definition, findings }
}
