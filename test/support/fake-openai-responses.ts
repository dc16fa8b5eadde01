import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One part of what the scripted model says: words, a call with arguments, or one with text. */
export type ResponsesReply =
  | { readonly text: string }
  | { readonly tool: string; readonly namespace?: string; readonly input: object }
  | { readonly tool: string; readonly words: string }

/** What a client asked of the model: enough to see what reached it. */
export interface ResponsesRequest {
  readonly tools: readonly { readonly name?: string; readonly type?: string }[]
  readonly input: readonly object[]
}

/** A turn, or a function that makes it, for scripts that look before they speak. */
export type ResponsesTurn =
  | readonly ResponsesReply[]
  | ((request: ResponsesRequest) => readonly ResponsesReply[] | Promise<readonly ResponsesReply[]>)

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
  const question: ResponsesRequest = { tools: body.tools ?? [], input: body.input ?? [] }
  const turn = script[requests.length] ?? [{ text: 'Done.' }]
  requests.push(question)
  stream(response, typeof turn === 'function' ? await turn(question) : turn)
}

let counter = 0

function stream(response: ServerResponse, output: readonly ResponsesReply[]): void {
  counter += 1
  const id = `resp_${counter}`
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send('response.created', { response: { id } })
  const items = output.map((part, index) => itemOf(part, `call_${counter}_${index}`))
  for (const [output_index, item] of items.entries()) {
    send('response.output_item.added', { output_index, item })
    send('response.output_item.done', { output_index, item })
  }
  const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
  send('response.completed', { response: { id, output: items, usage } })
  response.end()
}

function itemOf(part: ResponsesReply, call_id: string): object {
  if ('text' in part) {
    const content = [{ type: 'output_text', text: part.text, annotations: [] }]
    return { type: 'message', id: `msg_${call_id}`, role: 'assistant', content }
  }
  const { tool: name } = part
  const head = { id: `item_${call_id}`, call_id, name, status: 'completed' }
  if ('words' in part) return { type: 'custom_tool_call', ...head, input: part.words }
  const { namespace, input } = part
  return {
    type: 'function_call',
    ...head,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(input),
  }
}
