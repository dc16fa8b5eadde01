import {
  type AnswerOf,
  type Endpoint,
  ProblemAnswer,
  readAnswer,
  requestFor,
  type SentTo,
  type WireRequest,
} from '@statewright/core/wire'
import { expectServer, signingKey, UnprovenServer } from '../clients/server-key.ts'
import { knownCode, StatewrightError } from './statewright.ts'

export interface RemoteOptions {
  /** Address of the server, such as `http://127.0.0.1:4747`. */
  readonly url: string
  /** An agent's token; for `connectPeople` a person's. */
  readonly token: string
}

/** A server, by its address and our token. */
export interface Remote {
  readonly ask: Ask
  /** Opens what does not end, such as the feed. */
  open(request: WireRequest, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null>
}

/** Calls an endpoint; a server that answers with another shape is a fault. */
export type Ask = <Row extends Endpoint>(row: Row, ...sent: SentTo<Row>) => Promise<AnswerOf<Row>>

export function remote({ url, token }: RemoteOptions): Remote {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    const next = 'write it as http://127.0.0.1:4747.'
    throw new StatewrightError('usage', `"${url}" is not an address.`, { where: 'url', next })
  }
  const base = url.replace(/\/$/, '')
  const send = async (request: WireRequest, signal?: AbortSignal) => {
    const { method, path, type, body } = request
    await expectServer(base, signingKey(token)).catch((fault: unknown) => {
      throw unproven(base, fault)
    })
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        // A kept connection may be one of a server that is gone, and no call is sent twice.
        connection: 'close',
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((fault: unknown) => {
      throw unreachable(base, fault)
    })
    const where = `${method} ${base}${path}`
    if (response.ok) return { response, where }
    throw refusal(response.status, await response.json().catch(() => undefined), where)
  }
  const ask: Ask = async (row, ...[sent]) => {
    const { response, where } = await send(requestFor(row, sent))
    const value: unknown = await response.json().catch(() => undefined)
    const answer = readAnswer(row, response.status, value)
    if (answer !== undefined) return answer
    throw new StatewrightError('internal', 'The answer of the server cannot be read.', {
      where,
      next: 'check that url is a Statewright server of the same version as this library.',
    })
  }
  return { ask, open: async (request, signal) => (await send(request, signal)).response.body }
}

/** Nothing was sent: anyone who answers may be anybody. */
function unproven(url: string, fault: unknown): StatewrightError {
  if (!(fault instanceof UnprovenServer) || fault.reason === 'unreachable') {
    return unreachable(url, fault instanceof UnprovenServer ? fault.cause : fault)
  }
  const { reason, message } = fault
  if (reason === 'unknown_key') {
    const next = 'use a token of this server.'
    return new StatewrightError('unauthenticated', message, { where: url, next, cause: fault })
  }
  const next = 'use https, or set STATEWRIGHT_TRUST_URL=1 if you trust the network in between.'
  const code = reason === 'plain' ? 'usage' : 'server_unreachable'
  return new StatewrightError(code, message, { where: url, next, cause: fault })
}

/** What `fetch` itself says of a lost connection is "fetch failed"; the cause knows more. */
function unreachable(url: string, fault: unknown): StatewrightError {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  const why = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new StatewrightError('server_unreachable', `No server answers at ${url} (${why}).`, {
    where: url,
    next: 'start it with "statewright up", or check url.',
    cause: fault,
  })
}

function refusal(status: number, value: unknown, where: string): StatewrightError {
  const problem = ProblemAnswer.safeParse(value)
  if (problem.success) {
    const { code, message = code, next } = problem.data
    const known = knownCode(code)
    // A newer server may know more codes than this library: then the sentence names it.
    const text = known === code ? message : `${code}: ${message}`
    return new StatewrightError(known, text, { where: problem.data.where ?? where, next })
  }
  return new StatewrightError('internal', `The server answered with ${status} and no reason.`, {
    where,
    next: 'check that url is a Statewright server, and look at its log.',
  })
}
