import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import { BoundedMap, isJsonObject, type JsonObject } from '@statewright/core/internal'
import type { HttpHeaders } from '../base/http-request.ts'
import { isPlainResult, type JsonParams } from '../upstream/upstream.ts'

/** The revision of the new era, whose requests say everything about themselves. */
const revision = '2026-07-28'
const method = 'tools/call'

/** A call of a tool as nearly all are sent: whole in itself, and nobody listens in between. */
export interface PlainCall {
  readonly id: string | number
  readonly name: string
  readonly args: JsonObject
  /** What stands beside the call, without what the protocol keeps for itself. */
  readonly meta: JsonParams
  readonly envelope: JsonParams
}

const maxKnown = 1000
const longestClient = 4000

/**
 * Reads calls that need nothing of the protocol's library. Whatever is not exactly as expected is
 * left to it, be it wrong or only rare, so that there is one place which answers faults of clients.
 */
export class PlainCalls {
  /** What clients say of themselves, as far as the library found nothing wrong with it. */
  readonly #clients = new BoundedMap<string, true>(maxKnown)

  read(headers: HttpHeaders, body: unknown): PlainCall | undefined {
    if (!isJson(headers) || headers.get('mcp-protocol-version') !== revision) return undefined
    if (headers.get('mcp-method') !== method || !isJsonObject(body)) return undefined
    const { jsonrpc, id, params, ...more } = body
    if (jsonrpc !== '2.0' || !isId(id) || !isJsonObject(params)) return undefined
    if (more.method !== method || Object.keys(more).length !== 1) return undefined
    const { name, arguments: args = {}, _meta: meta, ...rest } = params
    if (typeof name !== 'string' || !plainName.test(name) || !isJsonObject(args)) return undefined
    if (headers.get('mcp-name') !== name || Object.keys(rest).length > 0) return undefined
    if (!isJsonObject(meta) || !this.#isKnown(meta, headers, body)) return undefined
    return { id, name, args, ...split(meta) }
  }

  /** A client says the same of itself with every call, so that it is read but once. */
  #isKnown(meta: JsonObject, headers: HttpHeaders, body: unknown): boolean {
    if (meta[PROTOCOL_VERSION_META_KEY] !== revision) return false
    // Who wants to hear of progress or logs is answered by a stream.
    if (Object.hasOwn(meta, 'progressToken') || Object.hasOwn(meta, LOG_LEVEL_META_KEY))
      return false
    const says = [meta[CLIENT_INFO_META_KEY] ?? null, meta[CLIENT_CAPABILITIES_META_KEY] ?? null]
    const client = JSON.stringify(says)
    if (this.#clients.has(client)) return true
    const outcome = classifyInboundRequest({
      httpMethod: 'POST',
      protocolVersionHeader: revision,
      mcpMethodHeader: method,
      mcpNameHeader: headers.get('mcp-name') ?? '',
      body,
    })
    if (outcome.kind !== 'modern' || client.length > longestClient) return false
    this.#clients.set(client, true)
    return true
  }
}

const plainName = /^(?!=\?)[!-~]{1,200}$/

function isJson(headers: HttpHeaders): boolean {
  const type = headers.get('content-type')
  return type === 'application/json' || type === 'application/json; charset=utf-8'
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

/** As the library hands it to a handler: what it lifts out of the rest stands by itself. */
function split(meta: JsonObject): Pick<PlainCall, 'meta' | 'envelope'> {
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: info,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...rest
  } = meta
  const envelope: JsonParams = {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  }
  if (info !== undefined) envelope[CLIENT_INFO_META_KEY] = info
  return { meta: rest, envelope }
}

/**
 * The answer to a plain call, where its result is as plain: text and nothing else. What is more
 * than that has rules of its own, which the library knows.
 */
export function plainAnswer(
  { id }: PlainCall,
  result: JsonParams,
  serverInfo: JsonParams,
): string | undefined {
  if (!isPlainResult(result)) return undefined
  const { _meta: meta = {}, ...rest } = result
  // Who answered may have said its own name; whether that is one, the library looks.
  if (!isJsonObject(meta) || !isName(meta[SERVER_INFO_META_KEY] ?? serverInfo)) return undefined
  const named = { [SERVER_INFO_META_KEY]: serverInfo, ...meta }
  const answer = { ...rest, resultType: 'complete', _meta: named }
  return JSON.stringify({ result: answer, jsonrpc: '2.0', id })
}

function isName(info: unknown): boolean {
  if (!isJsonObject(info) || Object.keys(info).length !== 2) return false
  return typeof info.name === 'string' && typeof info.version === 'string'
}
