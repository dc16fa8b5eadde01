import { type Finding, finding, type Path } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { Policy } from '../policy/policy-schema.ts'

/** Rules that match nothing, and rules that another one always comes before (PO-2, PO-3). */
export function checkPolicy(policy: Policy | undefined, path: Path): Finding[] {
  if (policy === undefined) return []
  const findings: Finding[] = []
  const before: string[] = []
  for (const list of ['deny', 'ask', 'allow'] as const) {
    for (const [index, { capability }] of (policy[list] ?? []).entries()) {
      const place = [...path, list, index, 'capability']
      const fault = capabilityFault(capability)
      if (fault !== undefined) {
        findings.push(finding('invalid_capability', place, `${quote(capability)}: ${fault}.`))
        continue
      }
      const earlier = before.find((other) => covers(other, capability))
      if (earlier === undefined) before.push(capability)
      else {
        const message = `${quote(earlier)} comes first, so that this rule is never looked at.`
        findings.push(finding('rule_never_reached', place, message))
      }
    }
  }
  return findings
}

export function checkCapabilities(entries: readonly string[] | undefined, path: Path): Finding[] {
  return (entries ?? []).flatMap((entry, index) => {
    const fault = capabilityFault(entry)
    if (fault === undefined) return []
    return [finding('invalid_capability', [...path, index], `${quote(entry)}: ${fault}.`)]
  })
}

/** Why a capability names nothing, or undefined. */
function capabilityFault(capability: string): string | undefined {
  if (/\s/.test(capability)) return 'a capability has no spaces'
  const star = capability.indexOf('*')
  if (star >= 0 && star < capability.length - 1) return 'a star may only stand at the end'
  const parts = capability.split(/[:.]/)
  if (parts.includes('')) return 'a part between ":" or "." is empty'
  return undefined
}

function covers(pattern: string, capability: string): boolean {
  const [outer, inner] = [withColons(pattern), withColons(capability)]
  return outer.endsWith('*') ? inner.startsWith(outer.slice(0, -1)) : outer === inner
}

function withColons(capability: string): string {
  return capability.replaceAll('.', ':')
}
