import { hash } from 'node:crypto'
import type { Actor } from '@statewright/core/internal'
import type { TokenKind } from '../store/store.ts'

/** Who asks, as the token says. A request body never says who somebody is (PO-8). */
export interface Caller {
  readonly tokenId: string
  readonly kind: TokenKind
  readonly role: string
  readonly name: string
  /** The client's own name for a sub-agent, where it has one: it is bound to branches by it. */
  readonly agentId?: string
  /** Which coding client speaks, such as `claude-code`. */
  readonly client?: string
  /** The agent session that it was started for: it speaks for that one, whatever it says. */
  readonly session?: string
}

/** The caller as the run's history names it. */
export function actorOf(caller: Caller): Actor {
  if (caller.kind === 'person') return { kind: 'person', id: caller.name }
  // The agent of a session has its person's token, and is not that person.
  const own = caller.session ?? caller.tokenId
  return { kind: 'agent', id: caller.agentId === undefined ? own : `${own}/${caller.agentId}` }
}

export const systemActor: Actor = { kind: 'system', id: 'statewright' }

/**
 * A client session's key in the store. Ids are chosen by clients, so that each token has its own
 * space of them: one agent cannot speak for another's session by knowing its name.
 */
export function sessionKey(caller: Caller, session: string): string {
  return keyIn(caller.kind === 'person' ? peoplesSpace : caller.tokenId, session)
}

/** An MCP connection's key in the store, in the space of its token as well. */
export function connectionKey({ tokenId }: Caller, connection: string): string {
  return keyIn(`${tokenId}\nconnection`, connection)
}

/** A session that a person gave a run holds for the agent that first called itself so. */
export function peoplesSessionKey(session: string): string {
  return keyIn(peoplesSpace, session)
}

const peoplesSpace = 'person'

/** A name in a space of its own, as the store keeps it. */
export function keyIn(space: string, session: string): string {
  return hash('sha256', `${space}\n${session}`)
}
