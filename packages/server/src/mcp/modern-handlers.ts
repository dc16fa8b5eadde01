import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { HttpRequest } from '../base/http-request.ts'
import { webRequest } from '../base/http-request.ts'
import type { Exchange } from './front/pass-on.ts'
import type { Connection } from './join-call.ts'
import type { McpOptions } from './mcp-options.ts'
import { callPlainly, createGatewayServer, type Outcome, serverInfo } from './mcp-server.ts'
import { type PlainCall, PlainCalls, plainAnswer } from './plain-call.ts'

const maxHandlers = 1000
const maxListening = 32

/** What a handler of the library is told of the request that it serves. */
interface Serving {
  readonly connection: Connection
  readonly outcome?: Outcome
}

/**
 * Clients of the new era keep no connection, but may listen for changes. Each token has a handler
 * of its own, so that one never hears of another's runs.
 */
export class ModernHandlers {
  readonly #options: McpOptions
  readonly #handlers = new Map<string, McpHttpHandler>()
  readonly #plain = new PlainCalls()
  /** Calls under way that the library knows nothing of. */
  readonly #calls = new Set<AbortController>()

  constructor(options: McpOptions) {
    this.#options = options
  }

  /** The answer as text, or as the library gives it. */
  async fetch(
    request: HttpRequest,
    body: unknown,
    connection: Connection,
  ): Promise<string | Response> {
    const call = this.#plain.read(request.headers, body)
    if (call === undefined) return this.#byLibrary(request, body, { connection })
    const outcome = await this.#call(request.signal, call, connection)
    const answer =
      'fault' in outcome ? undefined : plainAnswer(call, outcome.result, serverInfo(this.#options))
    return answer ?? this.#byLibrary(request, body, { connection, outcome })
  }

  each(tokenId: string | undefined, say: (handler: McpHttpHandler) => void): void {
    const handlers =
      tokenId === undefined ? [...this.#handlers.values()] : [this.#handlers.get(tokenId)]
    for (const handler of handlers) if (handler !== undefined) say(handler)
  }

  async close(): Promise<void> {
    for (const call of this.#calls) call.abort()
    for (const handler of this.#handlers.values()) await handler.close()
    this.#handlers.clear()
  }

  /** It ends when its client goes, and when we do. */
  async #call(gone: AbortSignal, call: PlainCall, connection: Connection): Promise<Outcome> {
    const controller = new AbortController()
    const onGone = () => controller.abort()
    this.#calls.add(controller)
    if (gone.aborted) controller.abort()
    gone.addEventListener('abort', onGone, { once: true })
    try {
      const exchange = plainExchange(call, controller.signal)
      return await callPlainly(this.#options, { connection, exchange }, call)
    } finally {
      this.#calls.delete(controller)
      gone.removeEventListener('abort', onGone)
    }
  }

  #byLibrary(request: HttpRequest, body: unknown, serving: Serving): Promise<Response> {
    const { tokenId } = serving.connection.caller
    return this.#handlerOf(tokenId).fetch(webRequest(request), {
      authInfo: { token: '', clientId: tokenId, scopes: [], extra: { serving } },
      ...(body === undefined ? {} : { parsedBody: body }),
    })
  }

  #handlerOf(tokenId: string): McpHttpHandler {
    const known = this.#handlers.get(tokenId)
    if (known !== undefined) return known
    const [oldest] = this.#handlers.keys()
    if (this.#handlers.size >= maxHandlers && oldest !== undefined) {
      void this.#handlers.get(oldest)?.close()
      this.#handlers.delete(oldest)
    }
    const handler = createMcpHandler(
      ({ authInfo }) => {
        const serving = authInfo?.extra?.serving as Serving // Put there by `#byLibrary`.
        return createGatewayServer(this.#options, { ...serving, era: 'modern' })
      },
      {
        legacy: 'reject',
        maxSubscriptions: maxListening,
        onerror: (fault) => this.#options.onRejected?.(fault),
      },
    )
    this.#handlers.set(tokenId, handler)
    return handler
  }
}

/** Its client wants to hear nothing in between, and in the new era nobody is asked in mid-call. */
function plainExchange({ meta, envelope }: PlainCall, signal: AbortSignal): Exchange {
  return {
    meta,
    envelope,
    signal,
    capabilities: () => ({}),
    notify: () => {},
    send: () => Promise.reject(new Error('bug: the new era asks in results')),
  }
}
