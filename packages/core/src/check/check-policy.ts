import { nearestNames } from '../base/nearest.ts'
import { judgedTool, lowerAscii, toolAliases } from '../call/tool-names.ts'
import { type Finding, finding, type Path } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import { capabilityFault, compileCapability } from '../policy/capability.ts'
import type { Policy } from '../policy/policy-schema.ts'

/** Rules that match nothing, and rules that another one always comes before (PO-2, PO-3). */
export function checkPolicy(policy: Policy | undefined, path: Path): Finding[] {
  if (policy === undefined) return []
  const findings: Finding[] = []
  const findEarlier = earlierRules()
  for (const list of ['deny', 'ask', 'allow'] as const) {
    for (const [index, { capability, when }] of (policy[list] ?? []).entries()) {
      const where = [...path, list, index, 'capability']
      const fault = capabilityFault(capability)
      if (fault !== undefined) {
        findings.push(finding('invalid_capability', where, `${quote(capability)}: ${fault}.`))
        continue
      }
      findings.push(...nearMiss(capability, where))
      const earlier = findEarlier(capability, when)
      if (earlier === undefined) continue
      const message = `${quote(earlier)} comes first, so that this rule is never looked at.`
      findings.push(finding('rule_never_reached', where, message))
    }
  }
  return findings
}

/** A name that is nearly one that we know is probably meant to be it; other names are tools too. */
function nearMiss(capability: string, path: Path): Finding[] {
  const { text, isPrefix } = compileCapability(capability)
  if (isPrefix || text.includes(':') || judgedTool({ tool: text }) !== undefined) return []
  const [near] = nearestNames(text, knownTools, 1)
  if (near === undefined) return []
  const message = `No known tool is called ${quote(capability)}. Did you mean ${quote(near)}?`
  return [finding('capability_near_miss', path, message)]
}

const knownTools = Object.keys(toolAliases).map(lowerAscii)

export function checkCapabilities(entries: readonly string[] | undefined, path: Path): Finding[] {
  return (entries ?? []).flatMap((entry, index) => {
    const fault = capabilityFault(entry)
    if (fault === undefined) return []
    return [finding('invalid_capability', [...path, index], `${quote(entry)}: ${fault}.`)]
  })
}

const maxPrefixes = 1000

/** Remembers rules in the order they are looked at, and says which one covers a later one. */
function earlierRules(): (capability: string, when: string | undefined) => string | undefined {
  const exact = new Map<string, string>()
  const prefixes: { readonly text: string; readonly capability: string }[] = []
  return (capability, when) => {
    const { text, isPrefix } = compileCapability(capability)
    const wider = prefixes.find((prefix) => text.startsWith(prefix.text))?.capability
    const earlier = wider ?? (isPrefix ? undefined : exact.get(text))
    if (earlier !== undefined) return earlier
    // One with a condition leaves the others what it does not hold for.
    if (when !== undefined) return undefined
    if (!isPrefix) exact.set(text, capability)
    // Past this, a policy is generated and nobody reads the warning; comparing would take long.
    else if (prefixes.length < maxPrefixes) prefixes.push({ text, capability })
    return undefined
  }
}
