import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isFault, type ModelFault, playFault, textOf } from './model-faults.ts'

/** One part of what the scripted model says: words, or a call of a tool. */
export type ChatReply =
  | { readonly text: string }
  /** Arguments given as a text are sent as they are, for models that write broken JSON. */
  | { readonly tool: string; readonly input: object | string; readonly id?: string }

/** What a client asked of the model: enough to see what reached it. */
export interface ChatRequest {
  readonly tools: readonly string[]
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

/** A turn, or a function that makes it, for scripts that look before they speak. */
export type ChatTurn =
  | readonly ChatReply[]
  | ((request: ChatRequest) => readonly ChatReply[] | Promise<readonly ChatReply[]>)
  | ModelFault<ChatReply>

export interface FakeChat {
  /** The base address that clients put `/chat/completions` behind. */
  readonly url: string
  /** Requests of the conversation, in order; side requests without tools are not among them. */
  readonly requests: readonly ChatRequest[]
  close(): Promise<void>
}

/**
 * A model on loopback that says what a script tells it, in the words of OpenAI's chat completions,
 * streamed or whole as the client asks.
 */
export async function startFakeChat(script: readonly ChatTurn[]): Promise<FakeChat> {
  const requests: ChatRequest[] = []
  const server = createServer((request, response) => {
    void answer(request, response, script, requests).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server has one.
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface ChatBody {
  readonly stream?: boolean
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[]
  readonly messages?: ChatRequest['messages']
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: readonly ChatTurn[],
  requests: ChatRequest[],
): Promise<void> {
  const body = await readJson(request)
  if (request.url?.endsWith('/models')) {
    const data = [{ id: 'scripted', object: 'model', owned_by: 'test' }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data }))
    return
  }
  if (request.method !== 'POST' || !request.url?.includes('/chat/completions')) {
    response.writeHead(404).end('{}')
    return
  }
  const tools = (body.tools ?? []).map((tool) => tool.function?.name ?? '')
  const reply = body.stream === true ? stream : whole
  // Clients also ask small questions beside the conversation, such as for a title.
  if (tools.length === 0) return reply(response, [{ text: 'ok' }])
  const question: ChatRequest = { tools, messages: body.messages ?? [] }
  const turn = script[requests.length] ?? [{ text: 'Done.' }]
  requests.push(question)
  if (isFault(turn)) return playFault(response, turn, (output) => begin(response, output))
  return reply(response, typeof turn === 'function' ? await turn(question) : turn)
}

async function readJson(request: IncomingMessage): Promise<ChatBody> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // A stream without encoding.
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
}

let counter = 0

interface Spoken {
  readonly content: string | null
  readonly tool_calls: readonly object[]
  readonly finish_reason: 'tool_calls' | 'stop'
}

function spoken(output: readonly ChatReply[]): Spoken {
  counter += 1
  const words = output.flatMap((part) => ('text' in part ? [part.text] : []))
  const tool_calls = output.flatMap((part, index) =>
    'text' in part ? [] : [toolCall(part, `call_${counter}_${index}`)],
  )
  return {
    content: words.length === 0 ? null : words.join(''),
    tool_calls,
    finish_reason: tool_calls.length > 0 ? 'tool_calls' : 'stop',
  }
}

function toolCall(part: Extract<ChatReply, { tool: string }>, id: string): object {
  const { tool: name, input } = part
  return {
    id: part.id ?? id,
    type: 'function',
    function: { name, arguments: textOf(input) },
  }
}

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

function frame(object: string): object {
  return { id: `chatcmpl-${counter}`, object, created: 1_700_000_000, model: 'scripted' }
}

function whole(response: ServerResponse, output: readonly ChatReply[]): void {
  const { content, tool_calls, finish_reason } = spoken(output)
  const message = {
    role: 'assistant',
    content,
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  }
  const choices = [{ index: 0, message, finish_reason }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...frame('chat.completion'), choices, usage }))
}

function stream(response: ServerResponse, output: readonly ChatReply[]): void {
  const { send, finish_reason } = begin(response, output)
  send({}, finish_reason, { usage })
  response.end('data: [DONE]\n\n')
}

/** Says everything but the end. */
function begin(response: ServerResponse, output: readonly ChatReply[]) {
  const { content, tool_calls, finish_reason } = spoken(output)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const chunk = { ...frame('chat.completion.chunk'), choices, ...more }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  send({ role: 'assistant', content: content ?? '' }, null)
  for (const [index, call] of tool_calls.entries()) send({ tool_calls: [{ index, ...call }] }, null)
  return { send, finish_reason }
}
