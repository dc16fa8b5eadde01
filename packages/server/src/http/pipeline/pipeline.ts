import type { IncomingMessage } from 'node:http'
import { explainIssue, limits } from '@statewright/core/internal'
import type { z } from 'zod'
import type { HttpHeaders, HttpRequest } from '../../base/http-request.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import { StoreFault } from '../../store/store.ts'
import { comesFromGuarded } from '../auth/peer-process.ts'
import { heardOn } from '../connection-room.ts'
import { apiHeaders, type OwnNames, strangerProblem } from '../own-names.ts'
import { compressed, encodingFor, hasAlready, isWorthCompressing, tagOf } from './encoding.ts'
import { identify } from './identify.ts'
import { badBody, parseJsonBody } from './json-body.ts'
import { demandProof } from './proof.ts'
import { onlyLooks, refuseLocal } from './provider-people.ts'
import { readBody } from './read-body.ts'
import { problemReply, type Reply, refuse } from './reply.ts'
import {
  type Answer,
  type Call,
  type Identity,
  mayCall,
  type Route,
  type ServerDependencies,
} from './route.ts'

export interface IncomingCall {
  readonly request: HttpRequest
  readonly params: Readonly<Record<string, string>>
  /** Node's own request, where there is one: tests ask in memory. */
  readonly incoming: IncomingMessage | undefined
}

const maxBodyBytes = limits.definitionBytes

/** The answer as a response of the web. */
export async function answer(
  server: ServerDependencies,
  names: OwnNames,
  route: Route,
  incomingCall: IncomingCall,
): Promise<Response> {
  const reply = await perform(server, names, route, incomingCall)
  if (reply instanceof Response) return reply
  const { headers } = incomingCall.request
  return toResponse(await smaller(route, headers, published(route, headers, reply)))
}

/** Everything between the network and a handler, the same for every route of the table. */
export async function perform(
  server: ServerDependencies,
  names: OwnNames,
  route: Route,
  incomingCall: IncomingCall,
): Promise<Answer> {
  const before = performance.now()
  let reply: Answer
  try {
    reply = await admit(server, names, route, incomingCall)
  } catch (fault) {
    reply = faultReply(server, route, fault)
  }
  const { method, path } = route
  const took = (performance.now() - before) / 1000
  server.metrics.timeRequest({ method, route: path, status: reply.status }, took)
  return reply instanceof Response ? withHeaders(reply) : reply
}

/** Marks what is the same for everybody, and leaves out what the reader has. */
function published({ isPublished }: Route, sent: HttpHeaders, reply: Reply): Reply {
  const { status, payload } = reply
  const isWhole = typeof payload === 'string' || payload instanceof Uint8Array
  if (isPublished !== true || status !== 200 || !isWhole) return reply
  const tag = tagOf(payload)
  const headers = { ...reply.headers, 'cache-control': 'no-cache', etag: tag }
  const isKnown = hasAlready(sent, tag)
  return isKnown ? { ...reply, status: 304, payload: null, headers } : { ...reply, headers }
}

/**
 * Sends large answers in fewer bytes. Only those to a GET: what holds a secret (a token, a link, a
 * proof) answers a POST. Beside text of a stranger its compressed length would tell it (BREACH).
 */
async function smaller(route: Route, sent: HttpHeaders, reply: Reply): Promise<Reply> {
  const { payload } = reply
  const isLarge = typeof payload === 'string' && isWorthCompressing(payload)
  if (!isLarge || route.method !== 'GET' || !route.path.match(/^\/(api|docs)\b/)) return reply
  const headers = { ...reply.headers, vary: 'accept-encoding' }
  const encoding = encodingFor(sent)
  if (encoding === undefined) return { ...reply, headers }
  const small = await compressed(payload, encoding)
  return { ...reply, payload: small, headers: { ...headers, 'content-encoding': encoding } }
}

async function admit(
  server: ServerDependencies,
  names: OwnNames,
  route: Route,
  incomingCall: IncomingCall,
): Promise<Answer> {
  const { request } = incomingCall
  const { headers } = request
  const origin = headers.get('origin')
  const stranger = strangerProblem(names, headers.get('host'), origin)
  if (stranger !== undefined && route.answersStrangers !== true) return problemReply(stranger)
  let identity: Identity | undefined
  if (route.who !== 'public') {
    identity = await identify(server, headers)
    // Connections of people stay open where room is short.
    if (identity !== undefined) {
      heardOn(incomingCall.incoming, identity.caller.kind === 'person' ? 'person' : 'agent')
    }
    const refused = refuseCaller(route, identity, origin)
    if (refused !== undefined) return problemReply(refused)
  }
  if (route.isLocal === true) {
    const refused = refuseLocal(server.auth, identity)
    if (refused !== undefined) return problemReply(refused)
  }
  if (actsAsPerson(route, identity) && isGuardedChild(server, incomingCall.incoming)) {
    server.log.warn(
      { route: route.path },
      'a guarded client called a route that is for people only',
    )
    const message = 'Only a person may do this, not a program that a guarded client started.'
    return refuse('self_approval', message, { next: 'use a terminal of your own.' })
  }
  if (route.proof !== undefined && identity !== undefined) {
    const refused = await demandProof({ server, identity, request }, route.proof)
    if (refused !== undefined) return refused
  }
  const read = await readInput(route, incomingCall)
  if ('problem' in read) return problemReply(read.problem)
  const call = {
    server,
    params: incomingCall.params,
    request,
    incoming: incomingCall.incoming,
    ...read,
  }
  // A public handler's type has no caller; every other one was identified above.
  return route.handle({ ...call, caller: identity?.caller, identity } as Call<unknown, unknown>)
}

function refuseCaller(
  route: Route,
  identity: Identity | undefined,
  origin: string | null,
): RuntimeProblem | undefined {
  if (identity === undefined) {
    const next =
      'send "Authorization: Bearer <token>"; `statewright login` creates one for a person.'
    return problem('unauthenticated', 'A valid token is required.', { next })
  }
  if (route.who !== 'public' && !mayCall(route.who, identity.caller.kind)) {
    const message = `A token of kind ${identity.caller.kind} may not do this.`
    const next = route.who === 'person' ? 'ask a person.' : `use a token of kind ${route.who}.`
    return problem('not_permitted', message, { next })
  }
  if (onlyLooks(identity) && route.method !== 'GET' && route.onlyReads !== true) {
    const next = 'ask whoever gives roles at the identity provider, then log in again.'
    return problem('not_permitted', 'Your roles only let you look.', { next })
  }
  // It was lent to one agent for the tools of its session, and opens nothing else.
  if (identity.caller.session !== undefined && route.path !== '/mcp') {
    const next = 'use the tools of the MCP server.'
    return problem('not_permitted', 'This key only works for the MCP server.', { next })
  }
  // A cookie is sent by whatever page the browser shows; only our own may use it to change things.
  if (identity.via === 'cookie' && route.method !== 'GET' && origin === null) {
    return problem('foreign_origin', 'The request does not say which page it comes from.')
  }
  return undefined
}

/** Whether a person's word would count here: on people's routes, and wherever one changes a run. */
function actsAsPerson(route: Route, identity: Identity | undefined): boolean {
  if (route.refusesGuarded !== undefined) return route.refusesGuarded
  if (route.method === 'GET' || route.who === 'hook') return false
  return identity?.caller.kind === 'person'
}

/** It reads the kernel's tables, and is asked only where a person's word would count. */
function isGuardedChild(
  { auth }: ServerDependencies,
  incoming: IncomingMessage | undefined,
): boolean {
  if (incoming === undefined || auth.guarded.isEmpty) return false
  return comesFromGuarded(incoming.socket, auth.guarded)
}

type Input =
  | { readonly query: unknown; readonly body: unknown; readonly text: string }
  | { readonly problem: RuntimeProblem }

async function readInput(route: Route, { request, incoming }: IncomingCall): Promise<Input> {
  let query: unknown
  if (route.query !== undefined) {
    const given = Object.fromEntries(new URL(request.url).searchParams)
    const parsed = route.query.safeParse(given)
    if (!parsed.success) return { problem: issueProblem(parsed.error, route.query, given, '?') }
    query = parsed.data
  }
  const reads = route.reads ?? (route.body === undefined ? undefined : 'json')
  if (reads === undefined || reads === 'raw') return { query, body: undefined, text: '' }
  const text = await readBody(request, incoming, maxBodyBytes)
  if (!text.ok) return { problem: text.error }
  if (reads === 'definition' || route.body === undefined) {
    return { query, body: undefined, text: text.value }
  }
  const value = reads === 'form' ? formBody(text.value) : parseJsonBody(text.value)
  if (!value.ok) return { problem: value.error }
  const parsed = route.body.safeParse(value.value)
  if (!parsed.success) return { problem: issueProblem(parsed.error, route.body, value.value, '') }
  return { query, body: parsed.data, text: text.value }
}

function formBody(text: string) {
  return { ok: true, value: Object.fromEntries(new URLSearchParams(text)) } as const
}

function issueProblem(
  { issues }: z.ZodError,
  schema: z.ZodType,
  value: unknown,
  prefix: string,
): RuntimeProblem {
  const found = explainIssue(issues, { schema, value, what: 'The request' })
  const where = prefix + (found?.path.map(String).join('.') ?? '')
  return badBody(where.slice(0, 200), (found?.message ?? 'The request is not valid.').slice(0, 500))
}

function faultReply({ log }: ServerDependencies, { method, path }: Route, fault: unknown): Reply {
  if (fault instanceof StoreFault) {
    log.error({ err: fault, reason: fault.reason, method, route: path }, 'the store failed')
    const { message, next } = fault
    return refuse('store_unavailable', `The database cannot be used: ${message}`, { next })
  }
  log.error({ err: fault, method, route: path }, 'a request failed')
  return refuse('internal', 'An internal error happened. The log of the server has the details.')
}

export function toResponse(reply: Reply): Response {
  const { status, payload } = reply
  return new Response(payload, { status, headers: headersOf(reply) })
}

export function headersOf({ status, type, headers }: Reply): Record<string, string> {
  const closes: Record<string, string> = status === 413 ? { connection: 'close' } : {}
  return { 'content-type': type, ...apiHeaders, ...closes, ...headers }
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(apiHeaders)) response.headers.set(name, value)
  return response
}
