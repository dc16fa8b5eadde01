import type { IncomingMessage } from 'node:http'
import type {
  AnswerFor,
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  StatusOf,
  Who,
} from '@statewright/core/wire'
import type { Caller } from '../../base/caller.ts'
import type { HttpRequest } from '../../base/http-request.ts'
import type { Guard } from '../../guard/guard.ts'
import type { Log } from '../../observe/logger.ts'
import type { Metrics } from '../../observe/metrics.ts'
import type { Protection } from '../../reports/protection-level.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { TokenRow } from '../../store/store.ts'
import type { Auth } from '../auth/auth.ts'
import type { FeedHub } from '../feed/feed-hub.ts'
import { json, type Reply } from './reply.ts'

/** A reply, or a whole response of a handler that speaks a protocol of its own. */
export type Answer = Reply | Response

/** What handlers work with. */
export interface ServerDependencies {
  readonly runtime: Runtime
  readonly guard: Guard
  readonly auth: Auth
  readonly log: Log
  readonly metrics: Metrics
  readonly feedHub: FeedHub
  /** How much holds against agents, as things stand. */
  readonly level: () => Protection['level']
  /** Where people reach the server, without a slash at the end. */
  readonly url: string
  readonly cookieName: string
  /** Aborted when the server is about to stop: no new work should be sent to it. */
  readonly draining: AbortSignal
  /** Aborted when the server stops: streams end with it. */
  readonly stopping: AbortSignal
}

/** Who asks, with the token that says so. */
export interface Identity {
  readonly caller: Caller
  readonly token: TokenRow
  /** `signature`: a hook that proved its key. */
  readonly via: 'bearer' | 'cookie' | 'signature'
}

export interface Call<Body, Query> {
  readonly server: ServerDependencies
  readonly caller: Caller
  readonly identity: Identity
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** The body as it was sent. */
  readonly text: string
  readonly request: HttpRequest
  /** Node's own request, where there is one: tests ask in memory. */
  readonly incoming: IncomingMessage | undefined
}

export type PublicCall<Body, Query> = Omit<Call<Body, Query>, 'caller' | 'identity'>

/** What only the server has to know of an endpoint. */
interface HandlerFacts {
  /** The same for everybody, without a secret: browsers keep it and ask whether it is still so. */
  readonly isPublished?: boolean
  /** It changes nothing, though it is no GET: who may only look may call it. */
  readonly onlyReads?: boolean
  /** By link, passkey or PIN: off where people log in with a provider (PE-15). */
  readonly isLocal?: boolean
  /** Its handler looks at strangers itself, because even they must get a well-formed answer. */
  readonly answersStrangers?: boolean
  /** Refused when the request comes from a process of a guarded client. */
  readonly refusesGuarded?: boolean
}

/** A row of the table from which the app, its checks, its description and the attacks are made. */
export interface Route extends Endpoint, HandlerFacts {
  readonly handle: (call: Call<unknown, unknown>) => Promise<Answer> | Answer
}

/** What the handler of an endpoint gets; nobody is known at a public one. */
export type CallOf<Row extends Endpoint> = Omit<
  Call<BodyOf<Row>, QueryOf<Row>>,
  'params' | (Row extends { who: 'public' } ? 'caller' | 'identity' : never)
> & { readonly params: ParamsOf<Row> }

/** A good answer of an endpoint: one of another shape does not compile. */
export type Answering<Row extends Endpoint> = <Status extends StatusOf<Row>>(
  status: Status,
  value: AnswerFor<Row, Status>,
) => Reply

/** The route that answers an endpoint of the API. */
export function serve<const Row extends Endpoint>(
  row: Row,
  handle: (call: CallOf<Row>, reply: Answering<Row>) => Promise<Answer> | Answer,
  facts: HandlerFacts = {},
): Route {
  // Every shape of an answer is an object.
  const reply: Answering<Row> = (status, value) => json(status, value as object)
  // The door parses by the shapes of the row, and knows who asks where anybody must be known.
  const asHandled = (call: Call<unknown, unknown>) => handle(call as unknown as CallOf<Row>, reply)
  return { ...row, ...facts, handle: asHandled }
}

const ranks: Readonly<Record<Who, number>> = { public: 0, hook: 1, agent: 2, person: 3 }

export function mayCall(who: Who, kind: Exclude<Who, 'public'>): boolean {
  return ranks[kind] >= ranks[who]
}
