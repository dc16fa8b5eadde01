import type { IncomingMessage, ServerResponse } from 'node:http'

/** What is read of a request. Those of the web have all of it, and Node's own gets it below. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: HttpHeaders
  /** Aborted when anyone who asks has gone. */
  readonly signal: AbortSignal
}

export interface HttpHeaders {
  get(name: string): string | null
}

/**
 * A request of Node's as handlers read it. The objects of the web around it would cost as much as
 * judging a call.
 */
export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly headers: HttpHeaders
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  #gone: AbortController | undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? 'GET'
    this.headers = new NodeHeaders(incoming.rawHeaders)
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  get url(): string {
    return `http://${this.headers.get('host') ?? ''}${this.#incoming.url ?? '/'}`
  }

  get signal(): AbortSignal {
    if (this.#gone !== undefined) return this.#gone.signal
    const gone = new AbortController()
    const outgoing = this.#outgoing
    this.#gone = gone
    if (outgoing.destroyed && !outgoing.writableFinished) gone.abort()
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort()
    })
    return gone.signal
  }
}

/**
 * Every line of a header counts, as in the headers of the web. Node's own record keeps the first
 * `Host` or `Authorization` of several, so that a second one would be seen by nobody.
 */
class NodeHeaders implements HttpHeaders {
  readonly #values = new Map<string, string>()

  constructor(lines: readonly string[]) {
    for (let at = 0; at + 1 < lines.length; at += 2) {
      const name = (lines[at] ?? '').toLowerCase()
      const value = lines[at + 1] ?? ''
      const before = this.#values.get(name)
      const joint = name === 'cookie' ? '; ' : ', '
      this.#values.set(name, before === undefined ? value : `${before}${joint}${value}`)
    }
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    yield* this.#values
  }
}

/** The same request for a library that wants one of the web; its body is told apart. */
export function webRequest(request: HttpRequest, text?: string): Request {
  if (request instanceof Request && text === undefined) return request
  const { url, method, headers, signal } = request
  // Headers are Node's or of the web, and both can be read through.
  const pairs = [...(headers as NodeHeaders | Headers)]
  const body = text === undefined ? {} : { body: text }
  return new Request(url, { method, headers: pairs, signal, ...body })
}
