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
import { allowedAnswers, type Questions } from './questions.ts'

const AnyResult = z.looseObject({})

/** What is needed to pass one request of a client on to a server, and the server's words back. */
export interface PassOn {
  readonly server: Server
  readonly era: 'legacy' | 'modern'
  readonly context: ServerContext
  readonly floor: LogFloor
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
  const { mcpReq } = way.context
  const answers = mcpReq.inputResponses
  const inputResponses = answers && allowedAnswers(upstream.spec, { ...answers })
  const requestState = mcpReq.requestState<string>()
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

function metaFor(upstream: Upstream, { server, era, context, floor }: PassOn): JsonParams {
  const { _meta: meta = {}, envelope = {} } = context.mcpReq
  const { progressToken: _token, [runMetaKey]: _run, ...rest } = meta
  if (!upstream.isModern) return rest
  const level = era === 'legacy' ? floor.level : own(envelope, LOG_LEVEL_META_KEY)
  return {
    ...rest,
    // What the client before us can be asked decides, not what we could answer ourselves.
    [CLIENT_CAPABILITIES_META_KEY]: announced(upstream.spec, capabilitiesOf(server, envelope)),
    ...(level === undefined ? {} : { [LOG_LEVEL_META_KEY]: level }),
  }
}

function capabilitiesOf(server: Server, envelope: JsonParams): ClientCapabilities {
  const reported = own(envelope, CLIENT_CAPABILITIES_META_KEY)
  return isJsonObject(reported) ? { ...reported } : (server.getClientCapabilities() ?? {})
}

function listenerFor({ era, context, floor }: PassOn, questions: Questions): Listener {
  const { mcpReq } = context
  const progressToken = mcpReq._meta?.progressToken
  const tell = (method: string, params: JsonParams) => {
    // The client may have gone; the call itself then ends by its signal.
    mcpReq.notify({ method, params }).catch(() => {})
  }
  return {
    signal: mcpReq.signal,
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
        era === 'modern'
          ? undefined
          : (judged) =>
              mcpReq.send({ method, params: judged }, AnyResult, { timeout: askTimeoutMs }),
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
export function waitingNotice({ context }: PassOn): (seconds: number) => void {
  const { mcpReq } = context
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  return (progress) => {
    const message = 'Waits for a person to approve this call.'
    const params = { progressToken, progress, message }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
