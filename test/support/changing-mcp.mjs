// A small MCP server whose tools stand in a file: it lists what the file says when it is asked, and
// says that its list has changed when its tool `look_again` is called. It notes each of its starts.
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [toolsFile, startsFile] = process.argv.slice(2)
appendFileSync(startsFile, `${process.pid}\n`)

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
/** Names that begin with `prompt:` or `resource:` are such; more than a text are more fields. */
const offered = () => Object.entries(JSON.parse(readFileSync(toolsFile, 'utf8')))
const words = (fields) => (typeof fields === 'string' ? { description: fields } : fields)
const listed = () =>
  offered()
    .filter(([name]) => !name.includes(':'))
    .map(([name, fields]) => ({ name, inputSchema, ...words(fields) }))
const ofKind = (kind) =>
  offered()
    .filter(([name]) => name.startsWith(`${kind}:`))
    .map(([name, fields]) => ({ name: name.slice(kind.length + 1), ...words(fields) }))

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
    },
    serverInfo: { name: 'changing', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: listed() }),
  'prompts/list': () => ({ prompts: ofKind('prompt') }),
  'prompts/get': ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `${name} was asked for` } }],
  }),
  'resources/list': () => ({
    resources: ofKind('resource').map((one) => ({ uri: `words:///${one.name}`, ...one })),
  }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'tools/call': ({ name }) => {
    for (const kind of name === 'look_again' ? ['tools', 'prompts', 'resources'] : []) {
      send({ method: `notifications/${kind}/list_changed` })
    }
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
