import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One part of what the scripted model says: words, or a call of a tool. */
export type GeminiReply =
  | { readonly text: string }
  | { readonly tool: string; readonly input: object }

/** What a client asked of the model: enough to see what reached it. */
export interface GeminiRequest {
  readonly system: unknown
  readonly tools: readonly string[]
  readonly contents: readonly { readonly role: string; readonly parts: unknown }[]
}

/** A turn, or a function that makes it, for scripts that look before they speak. */
export type GeminiTurn =
  | readonly GeminiReply[]
  | ((request: GeminiRequest) => readonly GeminiReply[] | Promise<readonly GeminiReply[]>)

export interface FakeGemini {
  readonly url: string
  /** Requests of the conversation, in order; side requests without tools are not among them. */
  readonly requests: readonly GeminiRequest[]
  close(): Promise<void>
}

/** A model on loopback that says what a script tells it, in the words of the Gemini API. */
export async function startFakeGemini(script: readonly GeminiTurn[]): Promise<FakeGemini> {
  const requests: GeminiRequest[] = []
  const server = createServer((request, response) => {
    void answer(request, response, script, requests).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server has one.
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface GeminiBody {
  readonly systemInstruction?: unknown
  readonly contents?: GeminiRequest['contents']
  readonly tools?: readonly { readonly functionDeclarations?: readonly { name: string }[] }[]
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: readonly GeminiTurn[],
  requests: GeminiRequest[],
): Promise<void> {
  const body = await readJson(request)
  const path = request.url ?? ''
  if (path.includes(':countTokens')) return whole(response, { totalTokens: 10 })
  if (!path.includes('enerateContent')) {
    response.writeHead(404).end('{}')
    return
  }
  const isStream = path.includes(':streamGenerateContent')
  const reply = (output: readonly GeminiReply[]) =>
    isStream ? stream(response, output) : whole(response, spoken(output))
  const tools = (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name),
  )
  // Clients also ask small questions beside the conversation, such as which model should serve.
  if (tools.length === 0) return reply([{ text: '{}' }])
  const question = { system: body.systemInstruction, tools, contents: body.contents ?? [] }
  const turn = script[requests.length] ?? [{ text: 'Done.' }]
  requests.push(question)
  return reply(typeof turn === 'function' ? await turn(question) : turn)
}

async function readJson(request: IncomingMessage): Promise<GeminiBody> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // A stream without encoding.
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
}

function spoken(output: readonly GeminiReply[]): object {
  const parts = output.map((part) =>
    'text' in part ? part : { functionCall: { name: part.tool, args: part.input } },
  )
  const content = { role: 'model', parts: parts.length === 0 ? [{ text: 'ok' }] : parts }
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 }
  return { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata }
}

function whole(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function stream(response: ServerResponse, output: readonly GeminiReply[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(spoken(output))}\n\n`)
}
