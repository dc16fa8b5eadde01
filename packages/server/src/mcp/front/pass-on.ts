import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isJsonObject, own } from '@statewright/core/internal'
import { z } from 'zod'
import { UpstreamRefusal } from '../../upstream/problem.ts'
import { announced } from '../../upstream/questions.ts'
import type { JsonParams, Listener, Upstream } from '../../upstream/upstream.ts'
import { runMetaKey } from './guarded-call.ts'
import { withoutOurAnswer } from './our-answer.ts'
import { allowedAnswers, type Questions } from './questions.ts'

const AnyResult = z.looseObject({})

/** What is needed to pass one request of a client on to a server, and the server's words back. */
export interface PassOn {
  readonly era: 'legacy' | 'modern'
  readonly exchange: Exchange
  readonly floor: LogFloor
}

/** One request of a client beside its method: what came with it, and what it can be told. */
export interface Exchange {
  readonly meta: JsonParams
  /** What a request of the new era says about its client. */
  readonly envelope: JsonParams
  readonly inputResponses?: JsonParams | undefined
  readonly requestState?: string | undefined
  readonly signal: AbortSignal
  readonly capabilities: () => ClientCapabilities
  readonly notify: (method: string, params: JsonParams) => void
  readonly send: (method: string, params: JsonParams) => Promise<JsonParams>
}

/** A request as the protocol's library tells of it. */
export function exchangeOf(server: Server, { mcpReq }: ServerContext): Exchange {
  return {
    meta: mcpReq._meta ?? {},
    envelope: mcpReq.envelope ?? {},
    inputResponses: mcpReq.inputResponses && { ...mcpReq.inputResponses },
    requestState: mcpReq.requestState<string>(),
    signal: mcpReq.signal,
    capabilities: () => server.getClientCapabilities() ?? {},
    // The client may have gone; the call itself then ends by its signal.
    notify: (method, params) => void mcpReq.notify({ method, params }).catch(() => {}),
    send: (method, params) => mcpReq.send({ method, params }, AnyResult, { timeout: askTimeoutMs }),
  }
}

/** The least severe messages that a connection of the old era wants; all, until it says so. */
export interface LogFloor {
  level: LoggingLevel
}

const levels: readonly unknown[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/** Sends a request on with everything that belongs to it, and nothing that is only between us. */
export async function passOn(
  upstream: Upstream,
  way: PassOn,
  method: string,
  params: JsonParams,
  questions: Questions,
): Promise<JsonParams> {
  const { inputResponses: answers, requestState } = way.exchange
  const inputResponses = answers && allowedAnswers(upstream.spec, withoutOurAnswer(answers))
  const sent: JsonParams = {
    ...params,
    _meta: metaFor(upstream, way),
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  }
  try {
    return await questions.check(await upstream.request(method, sent, listenerFor(way, questions)))
  } catch (fault) {
    throw asServerError(await questions.checkError(fault))
  }
}

function metaFor(upstream: Upstream, { era, exchange, floor }: PassOn): JsonParams {
  const { meta, envelope } = exchange
  const { progressToken: _token, [runMetaKey]: _run, ...rest } = meta
  if (!upstream.isModern) return rest
  const level = era === 'legacy' ? floor.level : own(envelope, LOG_LEVEL_META_KEY)
  return {
    ...rest,
    // What the client before us can be asked decides, not what we could answer ourselves.
    [CLIENT_CAPABILITIES_META_KEY]: announced(upstream.spec, capabilitiesOf(exchange)),
    ...(level === undefined ? {} : { [LOG_LEVEL_META_KEY]: level }),
  }
}

/** What the client before us can be asked, as it says for this request or said at the start. */
export function capabilitiesOf({ envelope, capabilities }: Exchange): ClientCapabilities {
  const reported = own(envelope, CLIENT_CAPABILITIES_META_KEY)
  return isJsonObject(reported) ? { ...reported } : capabilities()
}

function listenerFor({ era, exchange, floor }: PassOn, questions: Questions): Listener {
  const { signal, notify: tell, send } = exchange
  const { progressToken } = exchange.meta
  return {
    signal,
    onLog: (params) => {
      const severity = levels.indexOf(params.level)
      const isRequested = severity >= levels.indexOf(floor.level)
      if (era === 'modern' || isRequested) tell('notifications/message', params)
    },
    ...(progressToken === undefined
      ? {}
      : {
          onProgress: (progress) => tell('notifications/progress', { ...progress, progressToken }),
        }),
    ask: (method, params) =>
      questions.put(
        method,
        params,
        era === 'modern' ? undefined : (judged) => send(method, judged),
      ),
  }
}

/** A person may be at the other end. */
const askTimeoutMs = 10 * 60_000

/** What the server refused is passed on as it was said, in the words of our own library. */
function asServerError(fault: unknown): unknown {
  if (!(fault instanceof UpstreamRefusal)) return fault
  return new ProtocolError(fault.rpcCode, fault.message, fault.data)
}

/** Tells the client that its call waits for a person, where it wants to hear of progress. */
export function waitingNotice({ exchange }: PassOn): (seconds: number) => void {
  const { progressToken } = exchange.meta
  if (progressToken === undefined) return () => {}
  return (progress) => {
    const message = 'Waiting for a person to approve this call.'
    exchange.notify('notifications/progress', { progressToken, progress, message })
  }
}
