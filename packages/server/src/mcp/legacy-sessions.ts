import { randomUUID } from 'node:crypto'
import {
  isInitializeRequest,
  legacyStatelessFallback,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { BoundedMap } from '@statewright/core/internal'
import { type Caller, connectionKey } from '../base/caller.ts'
import type { Connection } from './join-call.ts'
import type { McpOptions } from './mcp-options.ts'
import { createGatewayServer } from './mcp-server.ts'
import { Subscriptions } from './subscriptions.ts'

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: Server
  readonly tokenId: string
  /** The agent session that its agent was started for. */
  readonly agentSession: string | undefined
  /** Its key, by which it is known to be at work. */
  readonly connection: string
  readonly subscriptions: Subscriptions | undefined
  /** Of the newest request: the connection of one before may have ended, and shows nobody. */
  ancestors: Connection['ancestors']
  usedAt: number
  requests: number
}

const maxSessions = 2000
const maxPerToken = 64
const idleMs = 60 * 60_000
const maxEnded = 10_000

/**
 * Connections of clients that speak the protocol of 2025: there a server may ask its client in the
 * middle of a call, and tell it of changes, so that a connection must outlive its requests.
 */
export class LegacySessions {
  readonly #options: McpOptions
  readonly #open = new Map<string, Session>()
  readonly #ended = new BoundedMap<string, true>(maxEnded)

  constructor(options: McpOptions) {
    this.#options = options
  }

  async fetch(request: Request, body: unknown, connection: Connection): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : this.#open.get(id)
    // The key of a session is its token: knowing the id of another's opens nothing.
    if (known !== undefined && isOf(known, connection.caller)) {
      known.ancestors = connection.ancestors
      return this.#serve(known, request, body)
    }
    if (id !== null && (known !== undefined || this.#ended.has(id))) return gone()
    if (request.method === 'POST' && isInitializeRequest(body)) {
      return this.#serve(await this.#start(connection), request, body)
    }
    return this.#withoutSession(request, body, connection)
  }

  /** Tells every connection of a token, or of all tokens, that the tools have changed. */
  toolsChanged(tokenId?: string): void {
    this.#tell((server) => server.sendToolListChanged(), tokenId)
  }

  promptsChanged(): void {
    this.#tell((server) => server.sendPromptListChanged())
  }

  resourcesChanged(): void {
    this.#tell((server) => server.sendResourceListChanged())
  }

  resourceUpdated(params: { readonly uri: string }): void {
    for (const { server, subscriptions } of this.#open.values()) {
      if (subscriptions?.has(params.uri) === true)
        server.sendResourceUpdated(params).catch(() => {})
    }
  }

  async close(): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.#end(id)
  }

  async #serve(session: Session, request: Request, body: unknown): Promise<Response> {
    session.usedAt = Date.now()
    session.requests += 1
    try {
      return await session.transport.handleRequest(
        request,
        body === undefined ? {} : { parsedBody: body },
      )
    } finally {
      session.requests -= 1
    }
  }

  async #start(connection: Connection): Promise<Session> {
    await this.#makeRoom(connection.caller.tokenId)
    const { front } = this.#options
    const subscriptions = front === undefined ? undefined : new Subscriptions(front)
    const sessionId = randomUUID()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      onsessioninitialized: (id) => void this.#open.set(id, session),
      onsessionclosed: (id) => this.#end(id),
    })
    // The id outlives us: a client goes on to send it after our restart.
    const id = connection.id ?? sessionId
    const server = createGatewayServer(this.#options, {
      connection: { ...connection, id, ancestors: () => session.ancestors() },
      era: 'legacy',
      ...(subscriptions === undefined ? {} : { subscriptions }),
    })
    const { tokenId, session: agentSession } = connection.caller
    const whose = { tokenId, agentSession, connection: connectionKey(connection.caller, id) }
    const usedAt = Date.now()
    const { ancestors } = connection
    const state = { ancestors, usedAt, requests: 0 }
    const session: Session = { transport, server, ...whose, subscriptions, ...state }
    await server.connect(transport)
    return session
  }

  /**
   * A session that we do not know may be one from before our restart. Many clients would never
   * find out, so that they are served without one; nothing but questions in mid-call is missing.
   */
  #withoutSession(request: Request, body: unknown, connection: Connection): Promise<Response> {
    const headers = new Headers(request.headers)
    headers.delete('mcp-session-id')
    const { method, url, signal } = request
    const plain = new Request(url, { method, headers, signal })
    const serve = legacyStatelessFallback(
      () => createGatewayServer(this.#options, { connection, era: 'legacy' }),
      (fault) => this.#options.onRejected?.(fault),
    )
    return serve(plain, body === undefined ? {} : { parsedBody: body })
  }

  async #makeRoom(tokenId: string): Promise<void> {
    const now = Date.now()
    const idle = [...this.#open].filter(([, one]) => one.requests === 0)
    const old = idle.filter(([, one]) => now - one.usedAt > idleMs)
    for (const [id] of old) await this.#end(id)
    const mine = [...this.#open].filter(([, one]) => one.tokenId === tokenId)
    if (mine.length >= maxPerToken) await this.#endOldest(mine)
    if (this.#open.size >= maxSessions) await this.#endOldest([...this.#open])
  }

  async #endOldest(sessions: readonly (readonly [string, Session])[]): Promise<void> {
    const [oldest] = sessions.toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
    if (oldest !== undefined) await this.#end(oldest[0])
  }

  async #end(id: string): Promise<void> {
    const session = this.#open.get(id)
    if (session === undefined) return
    this.#open.delete(id)
    this.#ended.set(id, true)
    this.#options.guard.runtime.atWork.end(session.connection)
    await session.subscriptions?.close()
    await session.server.close().catch(() => {})
  }

  #tell(say: (server: Server) => Promise<void>, tokenId?: string): void {
    for (const session of this.#open.values()) {
      if (tokenId !== undefined && session.tokenId !== tokenId) continue
      // Anyone who does not listen misses it, and lists again when it wants to know.
      say(session.server).catch(() => {})
    }
  }
}

function isOf({ tokenId, agentSession }: Session, caller: Caller): boolean {
  return tokenId === caller.tokenId && agentSession === caller.session
}

/** In the words of the protocol: the client starts a new session. */
function gone(): Response {
  const error = { code: -32_001, message: 'Session not found' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
