import type { Policy } from '../../packages/core/src/policy/policy-schema.ts'
import type { World } from './world.ts'

/** What policies say, written down a second time for the capabilities of our generators. */
export type OracleVerdict = 'allow' | 'ask' | 'deny'

const capabilities: Readonly<Record<string, string>> = {
  read_file: 'read',
  MultiEdit: 'edit',
  apply_patch: 'edit',
  write_file: 'write',
  shell: 'bash',
  BASH: 'bash',
  Task: 'agent',
}

export function capabilityOf(tool: string): string {
  if (tool.startsWith('mcp__')) return tool.replace('mcp__', 'mcp:').replace('__', ':')
  return Object.hasOwn(capabilities, tool) ? (capabilities[tool] ?? tool) : tool.toLowerCase()
}

/** The strictest answer of all definitions that hold where a call is made. */
export function verdictOf(
  world: World,
  machines: readonly string[],
  tool: string,
  facts: { readonly isFree: boolean; readonly strict: boolean },
): OracleVerdict {
  const verdicts = machines.map((machine): OracleVerdict => {
    const process = world.processes.get(machine)
    const isGated = process?.gate?.some((pattern) => matches(pattern, capabilityOf(tool))) === true
    const policy = process?.policy ?? world.workflows.get(machine)?.policy
    if (isGated) return 'deny'
    return policy === undefined ? 'allow' : policyVerdict(policy, capabilityOf(tool), facts)
  })
  if (verdicts.includes('deny')) return 'deny'
  return verdicts.includes('ask') ? 'ask' : 'allow'
}

function policyVerdict(
  policy: Policy,
  capability: string,
  { isFree, strict }: { readonly isFree: boolean; readonly strict: boolean },
): OracleVerdict {
  for (const list of ['deny', 'ask', 'allow'] as const) {
    for (const rule of policy[list] ?? []) {
      if (!matches(rule.capability, capability)) continue
      const isLimited = 'rate_limit' in rule || 'budget_limit' in rule
      return isLimited && !isFree ? 'deny' : list
    }
  }
  return policy.default === 'deny' || (strict && policy.default !== 'allow') ? 'deny' : 'allow'
}

function matches(pattern: string, capability: string): boolean {
  if (!pattern.endsWith('*')) return pattern === capability
  return capability.startsWith(pattern.slice(0, -1))
}
