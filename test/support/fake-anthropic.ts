import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isFault, type ModelFault, playFault, textOf } from './model-faults.ts'

/** One part of what the scripted model says: words, or a call of a tool. */
export type Reply =
  | { readonly text: string }
  /** Arguments given as a text are sent as they are, for models that write broken JSON. */
  | { readonly tool: string; readonly input: object | string; readonly id?: string }

/** What a client asked of the model: enough to see what reached it. */
export interface ModelRequest {
  readonly model: unknown
  readonly system: unknown
  readonly tools: readonly { readonly name: string }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  /** The client's own id of the sub-agent that asks. */
  readonly agentId?: string
}

/** A turn, or a function that makes it, for scripts that look before they speak. */
export type Turn =
  | readonly Reply[]
  | ((request: ModelRequest) => readonly Reply[] | Promise<readonly Reply[]>)
  | ModelFault<Reply>

export interface FakeModel {
  readonly url: string
  /** Requests of the conversation, in order; side requests without tools are not among them. */
  readonly requests: readonly ModelRequest[]
  /** Requests of sub-agents, by the word of their prompt that named their script. */
  readonly agentRequests: ReadonlyMap<string, readonly ModelRequest[]>
  close(): Promise<void>
}

/**
 * A model on loopback that says what a script tells it, in the words of the Messages API. It lets
 * a real client be driven without an account or a network.
 */
export async function startFakeModel(
  script: readonly Turn[],
  agents: Readonly<Record<string, readonly Turn[]>> = {},
): Promise<FakeModel> {
  const main = playing(script)
  const others = new Map(
    Object.entries(agents).map(([word, turns]) => [word, playing(turns)] as const),
  )
  const server = createServer((request, response) => {
    void answer(request, response, main, others).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server has one.
  return {
    url: `http://127.0.0.1:${port}`,
    requests: main.requests,
    agentRequests: new Map([...others].map(([word, { requests }]) => [word, requests])),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A script and how far it was played. */
interface Playing {
  readonly script: readonly Turn[]
  readonly requests: ModelRequest[]
}

function playing(script: readonly Turn[]): Playing {
  return { script, requests: [] }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  main: Playing,
  agents: ReadonlyMap<string, Playing>,
): Promise<void> {
  const body = await readJson(request)
  if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages')) {
    response.writeHead(404).end('{}')
    return
  }
  // Clients also ask small questions beside the conversation, such as for a title.
  if (body.tools.length === 0) return stream(response, [{ text: 'ok' }])
  const { script, requests } = playingFor(body, main, agents)
  const turn = script[requests.length] ?? [{ text: 'Done.' }]
  requests.push(body)
  if (isFault(turn)) return playFault(response, turn, (output) => begin(response, output))
  return stream(response, typeof turn === 'function' ? await turn(body) : turn)
}

function playingFor(
  { agentId, messages }: ModelRequest,
  main: Playing,
  agents: ReadonlyMap<string, Playing>,
): Playing {
  if (agentId === undefined) return main
  const prompt = JSON.stringify(messages[0] ?? '')
  const found = [...agents].find(([word]) => prompt.includes(word))
  return found === undefined ? main : found[1]
}

async function readJson(request: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // A stream without encoding.
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
  // A test's own client sends it.
  const { model, system, tools, messages } = body as Partial<ModelRequest>
  const agentId = request.headers['x-claude-code-agent-id']
  return {
    model,
    system,
    tools: tools ?? [],
    messages: messages ?? [],
    ...(typeof agentId === 'string' ? { agentId } : {}),
  }
}

let counter = 0

function stream(response: ServerResponse, output: readonly Reply[]): void {
  const send = begin(response, output)
  const stop_reason = output.some((part) => 'tool' in part) ? 'tool_use' : 'end_turn'
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage })
  send('message_stop', {})
  response.end()
}

const usage = { input_tokens: 10, output_tokens: 10 }

/** Says everything but the end. */
function begin(
  response: ServerResponse,
  output: readonly Reply[],
): (type: string, data: object) => void {
  counter += 1
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const message = {
    id: `msg_${counter}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  send('message_start', { message })
  for (const [index, part] of output.entries()) {
    const { block, delta } = partOf(part, index)
    send('content_block_start', { index, content_block: block })
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  return send
}

function partOf(part: Reply, index: number): { block: object; delta: object } {
  if ('text' in part) {
    return { block: { type: 'text', text: '' }, delta: { type: 'text_delta', text: part.text } }
  }
  const id = part.id ?? `toolu_${counter}_${index}`
  return {
    block: { type: 'tool_use', id, name: part.tool, input: {} },
    delta: { type: 'input_json_delta', partial_json: textOf(part.input) },
  }
}
