import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isFault, type ModelFault, playFault, textOf } from './model-faults.ts'

/** One part of what the scripted model says: words, thoughts, or a call. */
export type ResponsesReply =
  | { readonly text: string }
  | { readonly thinking: string }
  | {
      readonly tool: string
      readonly namespace?: string
      /** Arguments given as a text are sent as they are. */
      readonly input: object | string
      readonly id?: string
    }
  | { readonly tool: string; readonly words: string }

/** What a client asked of the model: enough to see what reached it. */
export interface ResponsesRequest {
  readonly tools: readonly { readonly name?: string; readonly type?: string }[]
  readonly input: readonly object[]
  /** The same as other formats have it: calls of the model and their results have a role there. */
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  /** Whether the provider is to keep the answer. */
  readonly store?: boolean
}

/** A turn, or a function that makes it, for scripts that look before they speak. */
export type ResponsesTurn =
  | readonly ResponsesReply[]
  | ((request: ResponsesRequest) => readonly ResponsesReply[] | Promise<readonly ResponsesReply[]>)
  | ModelFault<ResponsesReply>
  /** The stream begins well and says that there will be no answer. */
  | { readonly failed: { readonly code: string; readonly message: string } }

export interface FakeResponses {
  /** The base address that clients put `/responses` behind. */
  readonly url: string
  readonly requests: readonly ResponsesRequest[]
  close(): Promise<void>
}

/** A model on loopback that says what a script tells it, in the words of OpenAI's Responses API. */
export async function startFakeResponses(script: readonly ResponsesTurn[]): Promise<FakeResponses> {
  const requests: ResponsesRequest[] = []
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: readonly ResponsesTurn[],
  requests: ResponsesRequest[],
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // A stream without encoding.
  if (request.method !== 'POST' || !request.url?.endsWith('/responses')) {
    response.writeHead(404).end('{}')
    return
  }
  const body: Partial<ResponsesRequest> = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const { tools = [], input = [], store } = body
  const messages = input.map(withRole)
  const question = { tools, input, messages, ...(store === undefined ? {} : { store }) }
  const turn = script[requests.length] ?? [{ text: 'Done.' }]
  requests.push(question)
  if (isFault<ResponsesReply>(turn)) {
    return playFault(response, turn, (output) => begin(response, output))
  }
  if ('failed' in turn) return fail(response, turn.failed)
  stream(response, typeof turn === 'function' ? await turn(question) : turn)
}

function withRole(item: object): ResponsesRequest['messages'][number] {
  const content = JSON.stringify(item)
  const { role, type } = item as { readonly role?: string; readonly type?: string } // As it came.
  if (role !== undefined) return { role, content }
  return { role: type === 'function_call_output' ? 'tool' : 'assistant', content }
}

let counter = 0

function stream(response: ServerResponse, output: readonly ResponsesReply[]): void {
  const { send, id, items } = begin(response, output)
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  }
  send('response.completed', { response: { id, output: items, usage } })
  response.end()
}

function fail(response: ServerResponse, error: object): void {
  const { send, id } = begin(response, [])
  send('response.failed', { sequence_number: 1, response: { id, error } })
  response.end()
}

/** Says everything but the end. */
function begin(response: ServerResponse, output: readonly ResponsesReply[]) {
  counter += 1
  const id = `resp_${counter}`
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send('response.created', { response: { id, created_at: 0, model: 'gpt-5' } })
  const items = output.map((part, index) => itemOf(part, `call_${counter}_${index}`))
  for (const [output_index, { item, deltas }] of items.entries()) {
    send('response.output_item.added', { output_index, item })
    for (const { type, ...delta } of deltas) {
      send(type, { item_id: item.id, output_index, ...delta })
    }
    send('response.output_item.done', { output_index, item })
  }
  return { send, id, items: items.map(({ item }) => item) }
}

interface Item {
  readonly item: { readonly id: string; readonly type: string }
  readonly deltas: readonly { readonly type: string; readonly delta?: string }[]
}

function itemOf(part: ResponsesReply, name: string): Item {
  if ('text' in part) {
    const content = [{ type: 'output_text', text: part.text, annotations: [] }]
    const item = { type: 'message', id: `msg_${name}`, role: 'assistant', content }
    return { item, deltas: [{ type: 'response.output_text.delta', delta: part.text }] }
  }
  if ('thinking' in part) return thoughtOf(part.thinking, name)
  const call_id = 'id' in part && part.id !== undefined ? part.id : name
  const head = { id: `item_${name}`, call_id, name: part.tool, status: 'completed' }
  if ('words' in part) {
    const item = { type: 'custom_tool_call', ...head, input: part.words }
    return { item, deltas: [] }
  }
  const { namespace, input } = part
  const item = {
    type: 'function_call',
    ...head,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: textOf(input),
  }
  return { item, deltas: [] }
}

/** Thinking is told as a summary; what was thought itself comes sealed, to be sent back. */
function thoughtOf(words: string, name: string): Item {
  const at = { summary_index: 0 }
  const item = {
    type: 'reasoning',
    id: `rs_${name}`,
    summary: [{ type: 'summary_text', text: words }],
    encrypted_content: `sealed ${name}`,
  }
  return {
    item,
    deltas: [
      { type: 'response.reasoning_summary_part.added', ...at },
      { type: 'response.reasoning_summary_text.delta', ...at, delta: words },
      { type: 'response.reasoning_summary_part.done', ...at },
    ],
  }
}
