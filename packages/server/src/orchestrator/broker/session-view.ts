import {
  type AgentMessage,
  type AgentStateSnapshot,
  agentSnapshot,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import type { SessionRow } from '../../store/session-store.ts'
import type { LiveSession } from './live-session.ts'

/** A session as lists and attaching clients see it. */
export interface SessionView {
  readonly row: SessionRow
  readonly snapshot: AgentStateSnapshot
  /** Place of the newest update: anyone who attaches reads on from here. */
  readonly place: number
  readonly messages: readonly AgentMessage[]
  /** What the model was told beside them; null where nothing was asked of it here yet. */
  readonly system: string | null
}

/** The agent of a session is never the person who started it: it cannot approve or force. */
export function callerOf({ owner, role, sessionId }: SessionRow): Caller {
  const agent = { kind: 'agent', role, name: sessionId, client: 'statewright' } as const
  return { ...agent, tokenId: owner, session: sessionId }
}

/** Another node may have renamed it since it was taken up, so that its row is read again. */
export function viewOf(live: LiveSession, { title }: Pick<SessionRow, 'title'>): SessionView {
  const { row, state, place, costMicros, updatedAt, messages, system } = live
  const now = { ...row, state, kind: state.kind, place, costMicros, updatedAt, title }
  return { row: now, snapshot: agentSnapshot(state), place, messages: [...messages], system }
}
