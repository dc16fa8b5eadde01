// An MCP server with tools that read, write, fail and refuse, for sessions of ours.
import { createInterface } from 'node:readline'

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
const tools = [
  { name: 'echo', description: 'says it again', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'store', description: 'keeps it', inputSchema },
  { name: 'fail', description: 'goes wrong', inputSchema },
  { name: 'refuse', description: 'is refused', inputSchema },
  { name: 'hang', description: 'never ends', inputSchema },
  { name: 'bad name!', description: 'no model can call it', inputSchema },
]
const text = (words) => [{ type: 'text', text: words }]
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' }

function call({ name, arguments: args }) {
  if (name === 'echo') return { result: { content: text(args.text) } }
  if (name === 'store') return { result: { content: [...text('kept'), image] } }
  if (name === 'fail') return { result: { content: text('no'), isError: true } }
  if (name === 'refuse') return { error: { code: -32_602, message: 'not like this' } }
  return undefined
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    result: {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'session', version: '1.0.0' },
    },
  }),
  'tools/list': () => ({ result: { tools } }),
  'tools/call': call,
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const known = Object.hasOwn(answers, method)
  const body = known ? answers[method](params) : { error: { code: -32_601, message: 'unknown' } }
  if (body !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`)
}
