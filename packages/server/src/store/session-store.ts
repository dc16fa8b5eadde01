import type {
  AgentError,
  AgentMessage,
  AgentState,
  AgentStateKind,
} from '@statewright/core/internal'
import type { AnsweredRequest } from './node-store.ts'

/** Agent sessions: what must survive of them, with the same durability as runs (SE-9). */
export interface SessionStore {
  create(session: NewSession): Promise<void>
  /**
   * Writes one step or several, all of it or nothing, if the session still stands at `after` and
   * is still the node's. False when it is not. Resolves only when it is durable.
   */
  append(sessionId: string, batch: SessionBatch): Promise<boolean>
  /** What people call it; null takes the name away. */
  rename(sessionId: string, title: string | null): Promise<void>
  /** Another run judges it from now on. */
  rebind(sessionId: string, runId: string | null): Promise<void>
  /** It and everything that was said and told in it. */
  remove(sessionId: string): Promise<void>
  load(sessionId: string): Promise<SessionRow | undefined>
  messages(sessionId: string): Promise<readonly AgentMessage[]>
  /** Updates after a place, in their order. */
  events(
    sessionId: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly StoredUpdate[]>
  /** From columns alone: the state of a long session is large, and a list has many of them. */
  list(filter: SessionFilter): Promise<readonly SessionSummary[]>
}

export interface NewSession {
  readonly sessionId: string
  /** The server process that has it at work: nobody else writes it (SE-18). */
  readonly node: string
  /** Token that started it: an agent sees only its own. */
  readonly owner: string
  readonly role: string
  readonly harness: string
  readonly projectPath: string
  /** What the person gave to the harness, as JSON text. */
  readonly options: string
  readonly runId: string | null
  readonly workflow: string | null
  readonly createdAt: number
  readonly state: AgentState
}

export interface SessionRow extends NewSession {
  readonly kind: AgentStateKind
  readonly updatedAt: number
  /** Place of the newest update. */
  readonly place: number
  readonly messageCount: number
  readonly costMicros: number
  readonly title: string | null
}

/** A session as lists show it. */
export interface SessionSummary extends Omit<SessionRow, 'state' | 'options'> {
  readonly lastError: AgentError | null
}

export interface SessionBatch {
  readonly node: string
  readonly after: number
  readonly updates: readonly NewUpdate[]
  readonly messages: readonly AgentMessage[]
  /** Number of the last message before this batch. */
  readonly messageCount: number
  /** Nothing when it is as before: pieces of a stream change nothing that is stored. */
  readonly state: AgentState | null
  readonly updatedAt: number
  readonly costMicros: number
  /** Requests of other nodes that this carries out: never again, whoever has the session next. */
  readonly answered: readonly AnsweredRequest[]
}

export interface NewUpdate {
  readonly place: number
  readonly channel: 'agent:state_event' | 'agent:stream_event'
  /** JSON text of the event. */
  readonly body: string
}

export type StoredUpdate = NewUpdate

export interface SessionFilter {
  readonly owner?: string
  readonly node?: string
  /** Only those that have not stopped. */
  readonly isLive?: true
  readonly limit: number
}
