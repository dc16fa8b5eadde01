import {
  type AgentEvent,
  type AgentState,
  type FreshIds,
  type RetryTarget,
  unreachable,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import type { RuntimeProblem } from '../../base/problem.ts'

/** What people ask of a session. Data, since the node that has it may be another one (SE-18). */
export type SessionCommand =
  | { readonly type: 'input'; readonly text: string }
  | { readonly type: 'stop'; readonly reason: string }
  | { readonly type: 'retry'; readonly target: RetryTarget }

/** A command on its way to another node, as that one reads it. */
export interface PassedCommand {
  readonly caller: Caller
  readonly command: SessionCommand
}

/** What comes back: carried out, refused by the session's machine, or not possible at all. */
export type PassedAnswer =
  | { readonly refusal: string | null }
  | { readonly problem: RuntimeProblem }

/** Nothing where there is nothing to do: a session that stops is left alone. */
export function commandEvent(
  command: SessionCommand,
  facts: { state: AgentState; ids: FreshIds; newId: (prefix: string) => string },
): AgentEvent | null {
  const { state, ids, newId } = facts
  switch (command.type) {
    case 'input':
      return { type: 'user_input', text: command.text, messageId: newId('msg'), ids }
    case 'stop':
      return state.kind === 'stopping' || state.kind === 'stopped'
        ? null
        : { type: 'stop_requested', reason: command.reason }
    case 'retry':
      return { type: 'retry_timeout', target: command.target, by: 'person', ids }
    default:
      return unreachable(command)
  }
}
