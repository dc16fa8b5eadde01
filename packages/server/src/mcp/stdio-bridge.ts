import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { isJsonObject } from '@statewright/core/internal'
import { expectServer, signingKey, UnprovenServer } from '../clients/server-key.ts'
import { connectionHeader, sessionHeader } from './session-header.ts'

export interface BridgeOptions {
  /** Address of the server, without a slash at the end. */
  readonly url: string
  readonly token: string
  /** The client session that this connection speaks for, where the client says so. */
  readonly session?: string
  /** The client that started us, where it needs its results put differently. */
  readonly client?: string
  readonly onFault?: (fault: unknown) => void
  /** How long a client's first words wait for a server that is just being started. */
  readonly patienceMs?: number
}

export interface Bridge {
  close(): Promise<void>
}

/**
 * Carries MCP between stdin, stdout and the running server: one more door to the same house. It
 * understands as little as it can of what it carries, so that nothing is lost on the way, and it
 * holds nothing itself, so that two clients cannot see two truths.
 */
export function serveBridge(options: BridgeOptions): Bridge {
  const stdio = new StdioServerTransport()
  const http = httpTransport(options)
  const carrier = new Carrier(options, http, (message) => {
    stdio.send(message).catch((fault) => options.onFault?.(fault))
  })
  stdio.onmessage = (message) => void carrier.toServer(message)
  stdio.onerror = (fault) => options.onFault?.(fault)
  http.onmessage = (message) => carrier.toClient(message)
  http.onerror = (fault) => options.onFault?.(fault)
  const started = http.start().then(() => stdio.start())
  started.catch((fault) => options.onFault?.(fault))
  return {
    async close() {
      await http.terminateSession().catch(() => {})
      await stdio.close()
      await http.close()
    },
  }
}

function httpTransport({ url, token, session }: BridgeOptions): StreamableHTTPClientTransport {
  const headers = {
    authorization: `Bearer ${token}`,
    // A kept connection may be one of a server that is gone, and no message is carried twice.
    connection: 'close',
    ...(session === undefined ? {} : { [sessionHeader]: session }),
    // One process of ours is one connection, whatever becomes of the server meanwhile.
    [connectionHeader]: randomUUID(),
  }
  return new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers },
    // Before every message: the server may have gone since the last one, and its port with it.
    fetch: async (target, init) => {
      await expectServer(url, signingKey(token))
      return fetch(target, init)
    },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 10_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 1000,
    },
  })
}

const defaultPatienceMs = 20_000
const tryEveryMs = 250

/** Which requests are under way, so that each gets one answer whatever happens to the server. */
class Carrier {
  readonly #options: BridgeOptions
  readonly #http: StreamableHTTPClientTransport
  readonly #say: (message: JSONRPCMessage) => void
  readonly #waiting = new Map<RequestId, { method: string; cancel: AbortController }>()

  constructor(
    options: BridgeOptions,
    http: StreamableHTTPClientTransport,
    say: (message: JSONRPCMessage) => void,
  ) {
    this.#options = options
    this.#http = http
    this.#say = say
  }

  async toServer(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) return this.#ask(message)
    if (this.#cancels(message)) return
    await this.#http.send(message).catch((fault) => this.#options.onFault?.(fault))
  }

  toClient(message: JSONRPCMessage): void {
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) {
      this.#say(message)
      return
    }
    const { id } = message
    const pending = id === undefined ? undefined : this.#waiting.get(id)
    if (id !== undefined) this.#waiting.delete(id)
    if (pending?.method === 'initialize') this.#agree(message)
    this.#say(pending?.method === 'tools/call' ? this.#reported(message) : message)
  }

  async #ask(request: JSONRPCRequest): Promise<void> {
    const cancel = new AbortController()
    this.#waiting.set(request.id, { method: request.method, cancel })
    const until = Date.now() + (this.#options.patienceMs ?? defaultPatienceMs)
    for (;;) {
      try {
        return await this.#http.send(request, {
          requestSignal: cancel.signal,
          onRequestStreamEnd: () => this.#unanswered(request, 'the connection ended'),
        })
      } catch (fault) {
        const isFirstWord = request.method === 'initialize' || request.method === 'server/discover'
        const isOther = fault instanceof UnprovenServer && fault.reason !== 'unreachable'
        const isAnswered = fault instanceof SdkHttpError || isOther
        if (isAnswered || !isFirstWord || Date.now() > until) {
          this.#unanswered(request, fault)
          return
        }
        await pause(tryEveryMs)
      }
    }
  }

  /** In the new era a call is cancelled by closing its stream; the old one tells the server. */
  #cancels(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false
    const id = message.params?.requestId
    const pending =
      typeof id === 'string' || typeof id === 'number' ? this.#waiting.get(id) : undefined
    if (this.#http.protocolVersion !== undefined || pending === undefined) return false
    pending.cancel.abort()
    return true
  }

  #agree(message: JSONRPCMessage): void {
    if (!isJSONRPCResultResponse(message)) return
    const { protocolVersion } = message.result
    if (typeof protocolVersion === 'string') this.#http.setProtocolVersion(protocolVersion)
  }

  /** No answer means no, and the model must be able to read why. */
  #unanswered({ id, method }: JSONRPCRequest, fault: unknown): void {
    if (!this.#waiting.has(id)) return
    const output = errorOf(fault, id)
    if (output !== undefined) {
      this.toClient(output)
      return
    }
    const why = fault instanceof Error ? fault.message : String(fault)
    const text = `The Statewright server does not answer (${why.slice(0, 300)}).`
    const next = 'ask a person to start it with `statewright up`.'
    const refusal = { code: 'server_unreachable', message: text, next }
    const content = [{ type: 'text', text: JSON.stringify(refusal) }]
    this.toClient(
      method === 'tools/call'
        ? { jsonrpc: '2.0', id, result: { content, isError: true } }
        : { jsonrpc: '2.0', id, error: { code: -32_603, message: text, data: refusal } },
    )
  }

  #reported(message: JSONRPCMessage): JSONRPCMessage {
    if (this.#options.client !== 'gemini' || !isJSONRPCResultResponse(message)) return message
    return { ...message, result: wordsFirst(message.result) }
  }
}

/** What the server said in the words of the protocol, under whatever status. */
function errorOf(fault: unknown, id: RequestId): JSONRPCMessage | undefined {
  if (!(fault instanceof SdkHttpError)) return undefined
  try {
    const output: unknown = JSON.parse(String(fault.data.text))
    return isJSONRPCErrorResponse(output) ? { ...output, id } : undefined
  } catch {
    return undefined
  }
}

/**
 * Gemini CLI takes JSON in the first text of any result for its structured content and holds it
 * against the schema of a good answer: the model would read about the schema, not the refusal.
 */
function wordsFirst(result: Record<string, unknown>): Record<string, unknown> {
  const content: unknown[] = Array.isArray(result.content) ? result.content : []
  const [first, ...rest] = content
  if (result.isError !== true || !isJsonObject(first) || first.type !== 'text') return result
  return { ...result, content: [{ ...first, text: `Refused: ${first.text}` }, ...rest] }
}
