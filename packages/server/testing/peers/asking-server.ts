import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Era = 'old' | 'new'
export type Way = 'stdio' | 'http'

/**
 * An MCP server that asks whatever it is told to ask, announced or not, by either era and over
 * either transport. It is written by hand: a library would keep it from asking.
 */
export async function askingServer(era: Era, way: Way) {
  if (way === 'stdio') {
    const args = [fileURLToPath(import.meta.url), era]
    return { spec: { command: process.execPath, args }, close: async () => {} }
  }
  const answer = asking(era)
  const http = createServer((request, response) => void serve(answer, request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // It listens on TCP.
  const close = async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
  return { spec: { url: `http://127.0.0.1:${port}/mcp` }, close }
}

interface Message {
  readonly id?: string | number
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire.
  readonly params?: any
  readonly result?: unknown
  readonly error?: unknown
}
type Say = (message: object) => void

const tools = ['ask', 'ask_later', 'ask_and_go', 'heard', 'can', 'demand_url'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
}))

const note = { uri: 'note://a', name: 'a' }

const requestedSchema = { type: 'object', properties: { pin: { type: 'string' } } }
const about = { message: 'Your PIN, please?', requestedSchema, messages: [], maxTokens: 10 }
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

function asking(era: Era): (message: Message, say: Say) => void {
  let announced: unknown
  let request = 0
  const heard: unknown[] = []
  const waiting = new Map<string | number, (reply: Message) => void>()

  function ask(method: string, say: Say, then: (reply: Message) => void): void {
    const id = `question-${request++}`
    waiting.set(id, then)
    say({ jsonrpc: '2.0', id, method, params: about })
  }

  function call({ id, params }: Message, say: Say): void {
    const { method } = params.arguments ?? {}
    const give = (result: object) =>
      say({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } })
    const tell = (what: unknown) =>
      give({ content: [{ type: 'text', text: JSON.stringify(what ?? null) }] })
    switch (params.name) {
      case 'can':
        tell(era === 'old' ? announced : params._meta?.[capabilitiesKey])
        return
      case 'heard':
        tell(heard)
        return
      case 'demand_url': {
        const elicitations = [{ mode: 'url', elicitationId: '1', url: 'http://evil', message: 'x' }]
        const error = { code: -32_042, message: 'URL', data: { elicitations } }
        say({ jsonrpc: '2.0', id, error })
        return
      }
      case 'ask_and_go':
        ask(method, say, (reply) => heard.push(reply))
        tell('done')
        return
      case 'ask_later':
        tell('done')
        setTimeout(() => ask(method, say, (reply) => heard.push(reply)), 50)
        return
      default:
    }
    if (era === 'old') ask(method, say, ({ result, error }) => tell({ result, error }))
    else if (params.inputResponses !== undefined) tell({ result: params.inputResponses.q })
    else {
      const inputRequests = { q: { method, params: about } }
      give({ resultType: 'input_required', inputRequests })
    }
  }

  return (message, say) => {
    const { id, method, params } = message
    const give = (result: object) => say({ jsonrpc: '2.0', id, result })
    const serverInfo = { name: 'asking', version: '1' }
    const capabilities = { tools: {}, ...(era === 'new' ? { resources: {} } : {}) }
    const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    // What it says of caching would keep a client from asking us again.
    const shared = { ...cached, ttlMs: 3_600_000, cacheScope: 'public' }
    if (method === undefined) waiting.get(id ?? '')?.(message)
    else if (method === 'tools/list') give({ ...cached, tools })
    else if (method === 'tools/call') call(message, say)
    else if (method === 'resources/list') give({ ...shared, resources: [note] })
    else if (method === 'resources/templates/list') give({ ...shared, resourceTemplates: [] })
    else if (method === 'resources/read') give({ ...shared, contents: [{ ...note, text: 'hi' }] })
    else if (era === 'old' && method === 'initialize') {
      announced = params.capabilities
      give({ protocolVersion: params.protocolVersion, capabilities, serverInfo })
    } else if (era === 'new' && method === 'server/discover') {
      const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
      give({ ...cached, supportedVersions: ['2026-07-28'], capabilities, _meta })
    } else if (id !== undefined) {
      say({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })
    }
  }
}

/** A call of the old era is answered by a stream, so that there is a way to ask meanwhile. */
async function serve(
  answer: ReturnType<typeof asking>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end()
    return
  }
  let body = ''
  for await (const chunk of request) body += chunk
  const message: Message = JSON.parse(body)
  if (message.method === undefined || message.id === undefined) {
    answer(message, () => {})
    response.writeHead(202).end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'one' })
  answer(message, (output) => {
    response.write(`event: message\ndata: ${JSON.stringify(output)}\n\n`)
    if ('id' in output && output.id === message.id && !('method' in output)) response.end()
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const answer = asking(process.argv[2] === 'new' ? 'new' : 'old')
  const say: Say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
  createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line), say))
}
