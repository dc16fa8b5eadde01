import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { isJsonObject } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import type { Connection } from './join-call.ts'
import { LegacySessions } from './legacy-sessions.ts'
import type { McpOptions } from './mcp-options.ts'
import { createGatewayServer } from './mcp-server.ts'
import { connectionHeader, sessionHeader } from './session-header.ts'

/** The MCP server at `/mcp`, for both eras of the protocol. */
export interface McpEndpoint {
  /** Serves one request of a caller whose token was checked. */
  fetch(request: Request, caller: Caller, more?: McpRequest): Promise<Response>
  /** The tools of a token's runs have changed; without one, perhaps those of all. */
  toolsChanged(tokenId?: string): void
  promptsChanged(): void
  resourcesChanged(): void
  resourceUpdated(uri: string): void
  close(): Promise<void>
}

/** What is known of a request beside itself. */
export interface McpRequest {
  /** Its body, where it was read already. */
  readonly text?: string
  /** Processes at the other end, from the nearest upwards, where the kernel shows them. */
  readonly ancestors?: () => readonly string[]
}

export function createMcpEndpoint(options: McpOptions): McpEndpoint {
  const legacy = new LegacySessions(options)
  const modern = new ModernHandlers(options)
  return {
    async fetch(incoming, caller, { text, ancestors = () => [] } = {}) {
      const { headers } = incoming
      const session = caller.session ?? headers.get(sessionHeader) ?? undefined
      const id = headers.get(connectionHeader) ?? headers.get('mcp-session-id') ?? undefined
      const connection: Connection = { caller, session, id: id?.slice(0, longestId), ancestors }
      const { request, body, isJson } = await readJson(incoming, text)
      if (isJson && !claimsNewEra(body) && (await isLegacyRequest(request, body))) {
        return legacy.fetch(request, body, connection)
      }
      return modern.fetch(request, body, connection)
    },
    toolsChanged(tokenId) {
      legacy.toolsChanged(tokenId)
      modern.each(tokenId, (handler) => handler.notify.toolsChanged())
    },
    promptsChanged() {
      legacy.promptsChanged()
      modern.each(undefined, (handler) => handler.notify.promptsChanged())
    },
    resourcesChanged() {
      legacy.resourcesChanged()
      modern.each(undefined, (handler) => handler.notify.resourcesChanged())
    },
    resourceUpdated(uri) {
      legacy.resourceUpdated({ uri })
      modern.each(undefined, (handler) => handler.notify.resourceUpdated(uri))
    },
    async close() {
      await legacy.close()
      await modern.close()
    },
  }
}

/** What carries its protocol version with it is of the new era, whatever else is wrong with it. */
function claimsNewEra(body: unknown): boolean {
  const params = isJsonObject(body) ? body.params : undefined
  const meta = isJsonObject(params) ? params._meta : undefined
  return isJsonObject(meta) && Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY)
}

const longestId = 200
const maxHandlers = 1000
const maxListening = 32

/**
 * Clients of the new era keep no connection, but may listen for changes. Each token has a handler
 * of its own, so that one never hears of another's runs.
 */
class ModernHandlers {
  readonly #options: McpOptions
  readonly #handlers = new Map<string, McpHttpHandler>()

  constructor(options: McpOptions) {
    this.#options = options
  }

  fetch(request: Request, body: unknown, connection: Connection): Promise<Response> {
    const { tokenId } = connection.caller
    return this.#handlerOf(tokenId).fetch(request, {
      authInfo: { token: '', clientId: tokenId, scopes: [], extra: { connection } },
      ...(body === undefined ? {} : { parsedBody: body }),
    })
  }

  each(tokenId: string | undefined, say: (handler: McpHttpHandler) => void): void {
    const handlers =
      tokenId === undefined ? [...this.#handlers.values()] : [this.#handlers.get(tokenId)]
    for (const handler of handlers) if (handler !== undefined) say(handler)
  }

  async close(): Promise<void> {
    for (const handler of this.#handlers.values()) await handler.close()
    this.#handlers.clear()
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
        const connection = authInfo?.extra?.connection as Connection // Put there by `fetch` above.
        return createGatewayServer(this.#options, { connection, era: 'modern' })
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

interface Read {
  /** Whose body, when it is no JSON, is there to be read again. */
  readonly request: Request
  readonly body: unknown
  readonly isJson: boolean
}

/** The body is read once, here; what is no JSON is answered by the protocol's own library. */
async function readJson(request: Request, given: string | undefined): Promise<Read> {
  if (request.method !== 'POST') return { request, body: undefined, isJson: true }
  const text = given ?? (await request.text())
  try {
    return { request, body: JSON.parse(text), isJson: true }
  } catch {
    const { url, method, headers, signal } = request
    const again = new Request(url, { method, headers, signal, body: text })
    return { request: again, body: undefined, isJson: false }
  }
}
