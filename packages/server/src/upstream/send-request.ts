import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** A request to a server, all of it known before it leaves. */
export interface SentRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly text: string | undefined
  /** A second time changes nothing that the first has not. */
  readonly onlyReads: () => boolean
}

export interface PendingAnswer {
  /** The head of the answer; its body is still to be read. */
  readonly answer: Promise<IncomingMessage>
  /** Breaks off, whatever has come by then. */
  cancel(): void
}

/**
 * Sends a request on Node's own client, over connections that are kept. One whose server has gone
 * meanwhile fails the request that is put on it; that request goes out once more, on a new
 * connection, if nothing of it had left or if it only reads. What acts is never sent twice.
 */
export function sendRequest(request: SentRequest): PendingAnswer {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let isCancelled = false
  let cancel = attempt(request, undefined, resolve, (fault, { isReused, isSent }) => {
    const isSafe = !isSent || request.onlyReads()
    if (!isReused || !isSafe || isCancelled) reject(fault)
    else cancel = attempt(request, false, resolve, reject)
  })
  return {
    answer: promise,
    cancel: () => {
      isCancelled = true
      cancel()
    },
  }
}

function attempt(
  { url, method, headers, text }: SentRequest,
  agent: false | undefined,
  resolve: (incoming: IncomingMessage) => void,
  reject: (fault: unknown, how: { isReused: boolean; isSent: boolean }) => void,
): () => void {
  const { protocol, hostname, port, pathname, search } = url
  const request = (protocol === 'https:' ? requestHttps : requestHttp)({
    protocol,
    hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port,
    path: `${pathname}${search}`,
    ...(url.username === '' && url.password === '' ? {} : { auth: authOf(url) }),
    method,
    agent,
    headers: { ...headers },
  })
  const isReused = request.reusedSocket
  let isSent = false
  const onError = (fault: unknown) => reject(fault, { isReused, isSent })
  request.on('error', onError)
  request.on('response', (incoming) => {
    // After the head an error belongs to anyone who reads the body.
    request.off('error', onError).on('error', () => {})
    resolve(incoming)
  })
  const finish = () => {
    if (request.destroyed) return
    isSent = true
    request.end(text)
  }
  // A server that has closed a kept connection said so already; it is heard before we write.
  if (isReused) afterArrivals(finish)
  else finish()
  return () => request.destroy(new Error('the call was canceled'))
}

function authOf({ username, password }: URL): string {
  return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
}

/** The second turn begins after everything that had arrived when we were called. */
function afterArrivals(callback: () => void): void {
  setImmediate(() => setImmediate(callback))
}

/** The whole body as text, never more of it than a bound. */
export function wholeText(
  incoming: IncomingMessage,
  max = Number.POSITIVE_INFINITY,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= max) chunks.push(chunk)
      else incoming.destroy(new Error('an answer is too large'))
    })
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    incoming.on('error', reject)
    incoming.on('close', () => {
      if (!incoming.complete) reject(new Error('the answer ended before it was complete'))
    })
  })
}
