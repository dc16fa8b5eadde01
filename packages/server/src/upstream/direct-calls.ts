import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client'
import { isJsonObject } from '@statewright/core/internal'
import { AnyResult } from './catalog.ts'
import type { Line, LineRequest } from './line.ts'
import type { JsonParams } from './pending-calls.ts'
import { isPlainResult } from './plain-result.ts'

interface Bounds {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Far above what the library counts, and still a small number to servers that keep few bits. */
const firstId = 1_000_000_000

/**
 * Calls tools on the connection of the protocol's library, but past it: it looks at every message
 * several times, which costs more than judging the call. It connects, hears what the server tells
 * and asks, and reads every answer that is more than plain text.
 */
export class DirectCalls {
  readonly #line: Line
  #count = 0
  /** What the library says of us to a server of the new era, taken from its own messages. */
  #envelope: JsonParams | undefined
  /** An answer that is here already, for the request that the library sends next. */
  #answer: JsonParams | undefined

  constructor(transport: Transport, line: Line) {
    this.#line = line
    const send = transport.send.bind(transport)
    transport.send = async (message, options) => {
      const answer = this.#answer
      this.#answer = undefined
      if (answer !== undefined && 'id' in message && 'method' in message) {
        const { id } = message
        queueMicrotask(() => transport.onmessage?.(asMessage({ ...answer, id })))
        return
      }
      this.#envelope ??= envelopeIn(message)
      await send(message, options)
    }
  }

  /** Calls a tool, and gives back what its server answered. */
  async call(client: Client, params: JsonParams, bounds: Bounds): Promise<JsonParams> {
    const isModern = client.getProtocolEra() === 'modern'
    const request: LineRequest = {
      jsonrpc: '2.0',
      id: firstId + this.#count++,
      method: 'tools/call',
      params: isModern ? this.#enveloped(params) : params,
    }
    const answer = await this.#ask(client, request, bounds)
    if (!isJsonObject(answer) || answer.jsonrpc !== '2.0') throw new Error('it is not an answer')
    const result = plainResult(answer, isModern)
    return result ?? this.#readByLibrary(client, params, answer)
  }

  /** Whether the library has told the server of us yet, in whose words we speak. */
  isReady(client: Client): boolean {
    return client.getProtocolEra() !== 'modern' || this.#envelope !== undefined
  }

  #enveloped(params: JsonParams): JsonParams {
    const meta = isJsonObject(params._meta) ? params._meta : {}
    return { ...params, _meta: { ...this.#envelope, ...meta } }
  }

  async #ask(client: Client, request: LineRequest, bounds: Bounds): Promise<unknown> {
    const { timeoutMs, signal } = bounds
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (signal?.aborted === true) throw gaveUp(String(signal.reason))
    const pending = this.#line.ask(request)
    const giveUp = (fault: SdkError) => {
      pending.cancel()
      reject(fault)
      if (!this.#line.needsCancelling) return
      const params = { requestId: request.id, reason: fault.message }
      client.notification({ method: 'notifications/cancelled', params }).catch(() => {})
    }
    const onAbort = () => giveUp(gaveUp(String(signal?.reason)))
    const timer = setTimeout(() => giveUp(gaveUp('Request timed out')), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    pending.answer.then(resolve, reject)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** The library reads an answer as if it had asked: nothing goes to the server again. */
  #readByLibrary(client: Client, params: JsonParams, answer: JsonParams): Promise<JsonParams> {
    const { result, error } = answer
    const read = { jsonrpc: '2.0', ...(error === undefined ? { result } : { error }) }
    // One that is no message would be waited for until the end of time.
    asMessage({ ...read, id: 0 })
    this.#answer = read
    try {
      const options = { allowInputRequired: true }
      return client.request({ method: 'tools/call', params }, AnyResult, options)
    } finally {
      // The library sends at once or, on a lost connection, never: what it did not take would
      // be taken for the answer to another call.
      this.#answer = undefined
    }
  }
}

function gaveUp(why: string): SdkError {
  return new SdkError(SdkErrorCode.RequestTimeout, why)
}

function asMessage(message: JsonParams): JSONRPCMessage {
  return parseJSONRPCMessage(message)
}

function envelopeIn(message: unknown): JsonParams | undefined {
  const params = isJsonObject(message) ? message.params : undefined
  const meta = isJsonObject(params) ? params._meta : undefined
  if (!isJsonObject(meta) || meta[PROTOCOL_VERSION_META_KEY] === undefined) return undefined
  return {
    [PROTOCOL_VERSION_META_KEY]: meta[PROTOCOL_VERSION_META_KEY],
    [CLIENT_INFO_META_KEY]: meta[CLIENT_INFO_META_KEY],
    [CLIENT_CAPABILITIES_META_KEY]: meta[CLIENT_CAPABILITIES_META_KEY],
  }
}

/** The new era says of each result what kind it is, the old one never. */
function plainResult(answer: JsonParams, isModern: boolean): JsonParams | undefined {
  if (Object.keys(answer).length !== 3 || !isJsonObject(answer.result)) return undefined
  const { resultType, ...result } = answer.result
  if (resultType !== (isModern ? 'complete' : undefined)) return undefined
  return isPlainResult(result) ? result : undefined
}
