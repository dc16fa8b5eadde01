// A small MCP server over files in one folder, named as the policies of the examples expect it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'

const [folder, cost] = process.argv.slice(2)
const path = { type: 'string' }
const tool = (name, properties) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
})
const tools = [
  tool('write_file', { path, content: { type: 'string' } }),
  tool('delete_file', { path }),
  tool('read_file', { path }),
]

const work = {
  write_file: ({ path, content }) => writeFileSync(at(path), content),
  delete_file: ({ path }) => rmSync(at(path), { force: true }),
  read_file: ({ path }) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : 'nothing'),
}

function at(path) {
  return join(folder, basename(path))
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'filesystem', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => ({
    content: [{ type: 'text', text: String(work[name](given) ?? 'done') }],
    ...(cost === undefined ? {} : { _meta: { cost_usd: Number(cost) } }),
  }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = Object.hasOwn(answers, method) ? answers[method](params) : undefined
  const failed = { error: { code: -32601, message: 'unknown' } }
  const body = answer === undefined ? failed : { result: answer }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`)
}
