// A server of a bank with one account, whose tools say what they take and answer with structure.
// Run by the tests as a child.
import { createInterface } from 'node:readline'

const tool = (name: string, properties: object) => ({
  name,
  inputSchema: {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  },
})
const text = { type: 'string' }
const tools = [
  tool('get_balance', { account: text }),
  tool('transfer', { from: text, to: text, amount: { type: 'number' } }),
]

interface Params {
  readonly protocolVersion?: string
  readonly name?: string
  readonly arguments?: { readonly account?: string; readonly amount?: number }
}

let balance = 100

const answers: Record<string, (params: Params) => object> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bank', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given = {} }) => {
    if (name === 'transfer') balance -= given.amount ?? 0
    const structuredContent = { account: given.account ?? 'a', balance }
    return {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const failed = { error: { code: -32_601, message: 'unknown' } }
  const body = Object.hasOwn(answers, method) ? { result: answers[method]?.(params) } : failed
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`)
}
