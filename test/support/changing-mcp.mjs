// A small MCP server whose tools stand in a file: it lists what the file says when it is asked, and
// says that its list has changed when its tool `look_again` is called. It notes each of its starts.
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [toolsFile, startsFile] = process.argv.slice(2)
appendFileSync(startsFile, `${process.pid}\n`)

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
const listed = () =>
  Object.entries(JSON.parse(readFileSync(toolsFile, 'utf8'))).map(([name, description]) => ({
    name,
    description,
    inputSchema,
  }))

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'changing', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: listed() }),
  'tools/call': ({ name }) => {
    if (name === 'look_again') send({ method: 'notifications/tools/list_changed' })
    return { content: [{ type: 'text', text: `${name} was called` }] }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = Object.hasOwn(answers, method) ? answers[method](params) : undefined
  const failed = { error: { code: -32601, message: 'unknown' } }
  send({ id, ...(answer === undefined ? failed : { result: answer }) })
}
