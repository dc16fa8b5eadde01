import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Fetch } from './bounded-fetch.ts'
import { sendRequest, wholeText } from './send-request.ts'

/**
 * `fetch` on Node's own client. The one of the web builds a request, a response and two streams
 * around every call, which together cost more than judging it. Redirects are given back, not
 * followed: who asks decides whether they lead to the same server.
 */
export const plainFetch: Fetch = async (url, init = {}) => {
  const { body, method = 'GET', headers, signal } = init
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw new TypeError('bug: only text is sent to an MCP server')
  }
  if (signal?.aborted === true) throw signal.reason
  const given = headers instanceof Headers ? headers : new Headers(headers)
  const sent = sendRequest({
    url: new URL(url),
    method,
    // Nothing is unpacked here, and what was not asked for may not be sent packed.
    headers: { ...Object.fromEntries(given), 'accept-encoding': 'identity' },
    text: body ?? undefined,
    onlyReads: () => onlyReads(method, body ?? ''),
  })
  signal?.addEventListener('abort', sent.cancel, { once: true })
  try {
    const incoming = await sent.answer
    // A stream goes on after its head, and ends when its reader leaves.
    incoming.once('close', () => signal?.removeEventListener('abort', sent.cancel))
    return await toResponse(incoming)
  } catch (fault) {
    signal?.removeEventListener('abort', sent.cancel)
    throw fault
  }
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

function onlyReads(method: string, text: string): boolean {
  if (method === 'GET') return true
  try {
    const message: unknown = JSON.parse(text)
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
