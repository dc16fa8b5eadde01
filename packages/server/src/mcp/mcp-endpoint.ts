import { isLegacyRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { isJsonObject } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { type HttpRequest, webRequest } from '../base/http-request.ts'
import type { Connection } from './join-call.ts'
import { LegacySessions } from './legacy-sessions.ts'
import type { McpOptions } from './mcp-options.ts'
import { ModernHandlers } from './modern-handlers.ts'
import { connectionHeader, sessionHeader } from './session-header.ts'

/** The MCP server at `/mcp`, for both eras of the protocol. */
export interface McpEndpoint {
  /** Serves one request of a caller whose token was checked: with JSON as text, or a response. */
  answer(request: HttpRequest, caller: Caller, more?: McpRequest): Promise<string | Response>
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
    async answer(incoming, caller, { text, ancestors = () => [] } = {}) {
      const { headers } = incoming
      const session = caller.session ?? headers.get(sessionHeader) ?? undefined
      const id = headers.get(connectionHeader) ?? headers.get('mcp-session-id') ?? undefined
      const connection: Connection = { caller, session, id: id?.slice(0, longestId), ancestors }
      const { request, body, isJson } = await readJson(incoming, text)
      if (isJson && !claimsNewEra(body)) {
        const old = webRequest(request)
        if (await isLegacyRequest(old, body)) return legacy.fetch(old, body, connection)
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

interface McpBody {
  /** Whose body, when it is no JSON, is there to be read again. */
  readonly request: HttpRequest
  readonly body: unknown
  readonly isJson: boolean
}

/** The body is read once, here; what is no JSON is answered by the protocol's own library. */
async function readJson(request: HttpRequest, given: string | undefined): Promise<McpBody> {
  if (request.method !== 'POST') return { request, body: undefined, isJson: true }
  const text = given ?? (await webRequest(request).text())
  try {
    return { request, body: JSON.parse(text), isJson: true }
  } catch {
    return { request: webRequest(request, text), body: undefined, isJson: false }
  }
}
