import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import { compilePolicy } from '../packages/core/src/policy/compile-policy.ts'
import { evaluatePolicy } from '../packages/core/src/policy/evaluate-policy.ts'
import type { Policy } from '../packages/core/src/policy/policy-schema.ts'
import type { UsageFacts } from '../packages/core/src/policy/usage.ts'
import { type BenchResult, compareSpeeds } from './measure.ts'

/**
 * The same policy and the same calls on both sides. Cedar knows no rates, so its policies read the
 * usage from the context of the request, as ours reads it from the facts. Parsing happens once,
 * outside the measurement, on both sides; before measuring, every answer is compared.
 */
export async function benchPolicy(): Promise<BenchResult> {
  preparse()
  for (const call of calls) {
    const [ours, theirs] = [decide(call), askCedar(call)]
    if (ours !== theirs) throw new Error(`${call.capability}: ${ours} here, ${theirs} in Cedar`)
  }
  const speeds = compareSpeeds(
    (count) => repeat(count, decide),
    (count) => repeat(count, askCedar),
  )
  return {
    name: 'policy',
    value: speeds.ours,
    unit: 'decisions/s',
    baseline: speeds.theirs,
    against: 'cedar-wasm, preparsed',
    ratio: speeds.ours / speeds.theirs,
    target: '>= 50',
  }
}

/** Counts the denials, so that the engine cannot leave out work whose result nobody reads. */
function repeat(count: number, ask: (call: Call) => Kind): void {
  let denials = 0
  for (let turn = 0; turn < count; turn++) {
    if (ask(calls[turn % calls.length] ?? firstCall) === 'deny') denials++
  }
  if (denials > count) throw new Error('more denials than calls')
}

type Kind = 'allow' | 'ask' | 'deny'

interface Call {
  readonly capability: string
  readonly usage: UsageFacts
  readonly context: Record<string, string | number>
}

const policy: Policy = {
  allow: [
    { capability: 'bash', rate_limit: { max_calls: 100, window_seconds: 3600 } },
    { capability: 'read' },
    {
      capability: 'mcp:search:*',
      rate_limit: { max_calls: 50, window_seconds: 60 },
      budget_limit: { max_usd: 20, period: 'monthly' },
    },
  ],
  ask: [
    { capability: 'mcp:filesystem:write_file', budget_limit: { max_usd: 5, period: 'daily' } },
    { capability: 'mcp:resend:*' },
  ],
  deny: [{ capability: 'mcp:filesystem:delete_file' }, { capability: 'mcp:shell:*' }],
  default: 'deny',
}

const compiled = compilePolicy(policy, 'bench')
const cedarId = 'bench'

/** Asks and denials need the rule's own limit, so a limit is part of each condition. */
const cedarPolicies: Readonly<Record<string, string>> = {
  deny0: forbid('context.capability == "mcp:filesystem:delete_file"'),
  deny1: forbid('context.capability like "mcp:shell:*"'),
  ask0: permit('context.capability == "mcp:filesystem:write_file" && context.spent < 5000000'),
  ask1: permit('context.capability like "mcp:resend:*"'),
  allow0: permit('context.capability == "bash" && context.calls < 100'),
  allow1: permit('context.capability == "read"'),
  allow2: permit(
    'context.capability like "mcp:search:*" && context.calls < 50 && context.spent < 20000000',
  ),
}

const firstCall: Call = call('bash', 10, 0)

const calls: readonly Call[] = [
  firstCall,
  call('bash', 100, 0),
  call('read', 0, 0),
  call('mcp:search:query', 3, 1_000_000),
  call('mcp:search:query', 3, 20_000_000),
  call('mcp:filesystem:write_file', 0, 250_000),
  call('mcp:resend:send-email', 0, 0),
  call('mcp:filesystem:delete_file', 0, 0),
  call('mcp:shell:run', 0, 0),
  call('mcp:other:tool', 0, 0),
]

function permit(condition: string): string {
  return `permit(principal, action, resource) when { ${condition} };`
}

function forbid(condition: string): string {
  return `forbid(principal, action, resource) when { ${condition} };`
}

function call(capability: string, calls: number, spent: number): Call {
  const resetsAt = Date.UTC(2026, 0, 1)
  const rate = (max: number) => ({ used: calls, max, resetsAt, free: calls < max })
  const budget = (max: number) => ({ used: spent, max, resetsAt, free: spent < max })
  const usage: UsageFacts = {
    '["bench","allow","bash",3600]': rate(100),
    '["bench","allow","mcp:search:*",60]': rate(50),
    '["bench","allow","mcp:search:*","monthly"]': budget(20_000_000),
    '["bench","ask","mcp:filesystem:write_file","daily"]': budget(5_000_000),
  }
  return { capability, usage, context: { capability, calls, spent } }
}

function decide({ capability, usage }: Call): Kind {
  return evaluatePolicy(compiled, capability, usage).kind
}

function preparse(): void {
  const answer = preparsePolicySet(cedarId, { staticPolicies: { ...cedarPolicies } })
  if (answer.type !== 'success') throw new Error(`Cedar refused: ${JSON.stringify(answer)}`)
}

function askCedar({ context }: Call): Kind {
  const answer = statefulIsAuthorized({
    principal: { type: 'Agent', id: 'agent' },
    action: { type: 'Action', id: 'call' },
    resource: { type: 'Tool', id: 'tool' },
    context,
    preparsedPolicySetId: cedarId,
    entities: [],
  })
  if (answer.type !== 'success') throw new Error(`Cedar failed: ${JSON.stringify(answer)}`)
  if (answer.response.decision === 'deny') return 'deny'
  return answer.response.diagnostics.reason[0]?.startsWith('ask') === true ? 'ask' : 'allow'
}
