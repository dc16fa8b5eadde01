import {
  type Code,
  codes,
  err,
  unreachable as never,
  ok,
  type Problem,
  type Result,
} from '@statewright/core/internal'
import {
  type AnswerOf,
  type Endpoint,
  ProblemAnswer,
  readAnswer,
  requestFor,
  type Sent,
  type WireRequest,
} from '@statewright/core/wire'
import { expectServer, signingKey, UnprovenServer } from '../../clients/server-key.ts'
import { type FoundServer, findServer } from './find-server.ts'

/** What the server said no with, and everything else that stood in its answer. */
export interface ServerProblem extends Problem {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
}

interface Outgoing extends WireRequest {
  /** That the person is there; it counts for ten minutes. */
  readonly proof?: string | undefined
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** Talks to a server as the person or agent that the environment or the login says. */
export interface Client {
  readonly url: string
  /** The folder in which a server on this machine says where it answers. */
  readonly data?: string | undefined
  /** Calls an endpoint; its answer is read by the shape that the endpoint has. */
  call<Row extends Endpoint>(
    row: Row,
    sent: Sent<Row>,
    proof?: string,
  ): Promise<Result<AnswerOf<Row>, ServerProblem>>
  /** The answer itself, for streams. */
  open(request: Outgoing): Promise<Result<Response, ServerProblem>>
}

const answerWithinMs = 60_000

/** The client for the server that this folder and environment lead to. */
export function connect(): Result<Client, Problem> {
  const found = findServer(process.env, process.cwd())
  if (found.ok) return ok(createClient(found.value))
  return found.error.code === 'server_unreachable' ? ok(absentServer(found.error)) : found
}

/** Some commands have work to do without a server; anyone who asks it hears that there is none. */
function absentServer(problem: Problem): Client {
  const gone = async () => err({ ...problem, status: 0, details: {} })
  return { url: '', call: gone, open: gone }
}

export function createClient(server: FoundServer): Client {
  const { url, token, data, key = token === undefined ? undefined : signingKey(token) } = server
  const client: Client = {
    url,
    data,
    async call(row, sent, proof) {
      const request = requestFor(row, sent)
      const signal = AbortSignal.timeout(answerWithinMs)
      const opened = await client.open({ ...request, proof, signal })
      if (!opened.ok) return opened
      const { status } = opened.value
      const isText = row.answers[status] === 'text'
      const value = isText ? await opened.value.text() : await readJson(opened.value)
      const answer = readAnswer(row, status, value)
      return answer === undefined ? err(strange(url, request)) : ok(answer)
    },
    async open({ method, path, type = 'application/json', body, proof, headers, signal }) {
      let response: Response
      try {
        if (key !== undefined) await expectServer(url, key)
        response = await fetch(`${url}${path}`, {
          method,
          headers: {
            // A kept connection may be one of a server that is gone, and no command is sent twice.
            connection: 'close',
            // A login link shows people a page, and tells programs what is on it.
            accept: 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-type': type }),
            ...(proof === undefined ? {} : { 'x-statewright-proof': proof }),
            ...headers,
          },
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
          // A redirect would carry the token to anyone who it leads to.
          redirect: 'error',
        })
      } catch (fault) {
        return err(fault instanceof UnprovenServer ? unproven(url, fault) : unreachable(url, fault))
      }
      return response.ok ? ok(response) : err(await refusal(response))
    },
  }
  return client
}

async function refusal(response: Response): Promise<ServerProblem> {
  const { status } = response
  const parsed = ProblemAnswer.safeParse(await readJson(response))
  if (!parsed.success) {
    const code = byStatus(status)
    const message = `The server answered with ${status} and no reason.`
    return { code, message, status, details: {}, next: 'look at the log of the server.' }
  }
  const { code, message, detail, where, next, ...details } = parsed.data
  const known = Object.hasOwn(codes, code)
  const text = message ?? detail ?? 'The server gave no reason.'
  return {
    // A newer server may know more codes than we do; then its status says how grave it is.
    code: known ? (code as Code) : byStatus(status), // Looked up in the table just before.
    message: known ? text : `${code}: ${text}`,
    ...(where === undefined ? {} : { where }),
    ...hint(code, next, details),
    status,
    details,
  }
}

const loginNext = 'log in with "statewright login", or set STATEWRIGHT_TOKEN.'
const otherTokenNext =
  'unset STATEWRIGHT_TOKEN, which is used instead of your login, or set it to a valid token.'

/** What helps a person at a terminal, where the server speaks to programs. */
function hint(
  code: string,
  next: string | undefined,
  details: Readonly<Record<string, unknown>>,
): { next?: string } {
  if (code === 'unauthenticated') {
    // Logging in would not help: the variable is used instead.
    const isNamed = (process.env.STATEWRIGHT_TOKEN ?? '') !== ''
    return { next: isNamed ? otherTokenNext : loginNext }
  }
  if (code === 'step_up_required') return { next: wayToProof(factorsIn(details)) }
  return next === undefined ? {} : { next }
}

/** What the person could prove with, as a refusal names it. */
export function factorsIn({ factors }: ServerProblem['details']): readonly unknown[] {
  return Array.isArray(factors) ? factors : []
}

function wayToProof(factors: readonly unknown[]): string {
  if (factors.includes('oidc')) {
    return 'run it in a terminal of your own: it shows where to log in again.'
  }
  if (factors.includes('pin')) {
    return 'run it in a terminal of your own, where your PIN can be asked for.'
  }
  const choose =
    'choose a PIN: "statewright login LINK" with a link from the terminal of the server.'
  return factors.includes('passkey')
    ? `do it in the browser, where your passkey works. For the command line ${choose}`
    : choose
}

function byStatus(status: number): Code {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'not_permitted'
  if (status === 404) return 'not_found'
  return status < 500 ? 'usage' : 'internal'
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

/** Nothing was sent: anyone who answers may be anybody. */
function unproven(url: string, fault: UnprovenServer): ServerProblem {
  const { reason, message } = fault
  const nowhere = { where: url, status: 0, details: {} }
  switch (reason) {
    case 'unreachable':
      return unreachable(url, fault.cause)
    case 'unknown_key': {
      const known = hint('unauthenticated', undefined, {})
      return { code: 'unauthenticated', message, ...known, ...nowhere, status: 401 }
    }
    case 'plain':
      return { code: 'usage', message, next: trustNext, ...nowhere }
    case 'unproven':
      return { code: 'server_unreachable', message, next: restartNext, ...nowhere }
    default:
      return never(reason)
  }
}

const trustNext = 'use https, or set STATEWRIGHT_TRUST_URL=1 if you trust the network in between.'
const restartNext =
  'restart the server with "statewright up". For one behind a forwarded port, or of an older ' +
  'version, set STATEWRIGHT_TRUST_URL=1.'

function unreachable(url: string, fault: unknown): ServerProblem {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  const why = cause instanceof Error ? cause.message || cause.name : String(cause)
  return {
    code: 'server_unreachable',
    message: `No server answers at ${url} (${why}).`,
    where: url,
    next: 'start it with "statewright up", or name another in STATEWRIGHT_URL.',
    status: 0,
    details: {},
  }
}

function strange(url: string, { method, path }: WireRequest): ServerProblem {
  return {
    code: 'internal',
    message: 'The server answered with something that this version does not understand.',
    where: `${method} ${url}${path}`,
    next: 'make sure that the server and the command line have the same version.',
    status: 0,
    details: {},
  }
}
