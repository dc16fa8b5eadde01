import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { Fetch } from './bounded-fetch.ts'

/**
 * `fetch` on Node's own client. The one of the web builds a request, a response and two streams
 * around every call, which together cost more than judging it. Redirects are given back, not
 * followed: who asks decides whether they lead to the same server.
 *
 * Connections are kept. One whose server has gone meanwhile fails the request that is put on it;
 * that request goes out once more, on a new connection, if nothing of it had left or if it only
 * reads. What acts is never sent twice.
 */
export const plainFetch: Fetch = (url, init = {}) => {
  const { body } = init
  if (body !== undefined && body !== null && typeof body !== 'string') {
    return Promise.reject(new TypeError('bug: only text is sent to an MCP server'))
  }
  const message = { url: new URL(url), init, text: body ?? undefined }
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  send(message, undefined, resolve, (fault, { isReused, isSent }) => {
    const isSafe = !isSent || onlyReads(message)
    if (!isReused || !isSafe || init.signal?.aborted === true) reject(fault)
    else send(message, false, resolve, reject)
  })
  return promise
}

interface Message {
  readonly url: URL
  readonly init: RequestInit
  readonly text: string | undefined
}

function send(
  { url, init, text }: Message,
  agent: false | undefined,
  resolve: (response: Response | Promise<Response>) => void,
  reject: (fault: unknown, how: { isReused: boolean; isSent: boolean }) => void,
): void {
  const { method = 'GET', headers, signal } = init
  const given = headers instanceof Headers ? headers : new Headers(headers)
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    agent,
    // Nothing is unpacked here, and what was not asked for may not be sent packed.
    headers: { ...Object.fromEntries(given), 'accept-encoding': 'identity' },
    ...(signal === undefined || signal === null ? {} : { signal }),
  })
  const isReused = request.reusedSocket
  let isSent = false
  const onError = (fault: unknown) => reject(fault, { isReused, isSent })
  request.on('error', onError)
  request.on('response', (incoming) => {
    // After the head an error belongs to whoever reads the body.
    request.off('error', onError).on('error', () => {})
    resolve(toResponse(incoming))
  })
  const finish = () => {
    if (request.destroyed) return
    isSent = true
    request.end(text)
  }
  // A server that has closed a kept connection said so already; it is heard before we write.
  if (isReused) afterArrivals(finish)
  else finish()
}

/** The second turn begins after everything that had arrived when we were called. */
function afterArrivals(callback: () => void): void {
  setImmediate(() => setImmediate(callback))
}

/** Methods of MCP that change nothing which a second time would change again. */
const reading: ReadonlySet<unknown> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])

function onlyReads({ init, text }: Message): boolean {
  if (init.method === undefined || init.method === 'GET') return true
  try {
    const message: unknown = JSON.parse(text ?? '')
    if (typeof message !== 'object' || message === null || !('method' in message)) return false
    return reading.has(message.method)
  } catch {
    return false
  }
}

async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming
  const headers = headersOf(incoming)
  if (!isShortJson(incoming.headers)) {
    const hasBody = status !== 204 && status !== 304
    if (!hasBody) incoming.resume()
    const stream = hasBody ? Readable.toWeb(incoming) : null
    // The bytes of Node's stream are what the web calls a body; the two types only differ in name.
    return new Response(stream as ReadableStream<Uint8Array> | null, {
      status,
      statusText,
      headers,
    })
  }
  const text = await wholeText(incoming)
  // A body of its own would become a stream, only to be read back at once.
  return Object.defineProperties(new Response(null, { status, statusText, headers }), {
    text: { value: async () => text },
    json: { value: async () => JSON.parse(text) },
  })
}

const maxAtOnce = 1024 * 1024

/** HTTP itself reads no more than an answer has announced. */
function isShortJson(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type, 'content-length': length } = headers
  const isJson = type?.startsWith('application/json') === true
  return isJson && length !== undefined && Number(length) <= maxAtOnce
}

/** Pairs, of which a response makes its own: what is about the connection is nobody else's. */
function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!ofConnection.has(name.toLowerCase())) pairs.push([name, rawHeaders[at + 1] ?? ''])
  }
  return pairs
}

const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
])

function wholeText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    incoming.on('error', reject)
    incoming.on('close', () => {
      if (!incoming.complete) reject(new Error('the answer ended before it was whole'))
    })
  })
}
