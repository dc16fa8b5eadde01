import { nearestNames } from '../base/nearest.ts'
import { judgedTool, lowerAscii, toolAliases } from '../call/tool-names.ts'
import { type Finding, finding, type Path } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import { capabilityFault, compileCapability, namesModels } from '../policy/capability.ts'
import type { Policy, PolicyRule } from '../policy/policy-schema.ts'

/** Rules that match nothing, and rules that another one always comes before (PO-2, PO-3). */
export function checkPolicy(policy: Policy | undefined, path: Path): Finding[] {
  if (policy === undefined) return []
  const findings: Finding[] = []
  const [findEarlier, findEarlierModel] = [earlierRules(), earlierRules()]
  for (const list of ['deny', 'ask', 'allow'] as const) {
    for (const [index, rule] of (policy[list] ?? []).entries()) {
      const { capability, when } = rule
      const where = [...path, list, index, 'capability']
      const fault = capabilityFault(capability)
      if (fault !== undefined) {
        findings.push(finding('invalid_capability', where, `${quote(capability)}: ${fault}.`))
        continue
      }
      const isModel = namesModels(compileCapability(capability))
      const unfit = isModel ? unfitForModels(list, rule) : undefined
      if (unfit !== undefined) findings.push(finding('invalid_capability', where, unfit))
      findings.push(...nearMiss(capability, where))
      const earlier = (isModel ? findEarlierModel : findEarlier)(capability, when)
      if (earlier === undefined) continue
      const message = `${quote(earlier)} comes first, so this rule is never reached.`
      findings.push(finding('rule_never_reached', where, message))
    }
  }
  return findings
}

/** A request to a model waits for nobody, and is counted by what it costs (PO-9). */
function unfitForModels(list: string, rule: PolicyRule): string | undefined {
  const { capability, rate_limit, reserve_usd } = rule
  const of = quote(capability)
  if (list === 'ask') {
    return `${of}: nobody can be asked about a request to a model. Put it under allow or deny.`
  }
  if (rate_limit !== undefined) {
    return `${of}: requests to models have no rate. Write a budget_limit.`
  }
  if (reserve_usd !== undefined) {
    return `${of}: nothing is reserved for a request to a model. Remove reserve_usd.`
  }
  return undefined
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
