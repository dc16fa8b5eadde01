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
  | { readonly type: 'input'; readonly text: string; readonly when?: 'queue' | 'interrupt' }
  | { readonly type: 'withdraw'; readonly messageId: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'compact' }
  | { readonly type: 'choose_model'; readonly model: string | null }
  | { readonly type: 'resume' }
  | { readonly type: 'stop'; readonly reason: string }
  /** Without a target: the model, or the start of its harness. */
  | { readonly type: 'retry'; readonly target?: RetryTarget }

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
  facts: {
    readonly state: AgentState
    readonly ids: FreshIds
    readonly newId: (prefix: string) => string
    /** What a session works by that starts now. */
    readonly atStart: () => Pick<Extract<AgentEvent, { type: 'spawn' }>, 'settings' | 'warnings'>
    /** A model with how much it takes. */
    readonly chosen: (
      model: string | null,
    ) => Omit<Extract<AgentEvent, { type: 'model_chosen' }>, 'type'>
  },
): AgentEvent | null {
  const { state, ids, newId } = facts
  switch (command.type) {
    case 'input':
      return {
        type: 'user_input',
        text: command.text,
        messageId: newId('msg'),
        when: command.when ?? 'queue',
        ids,
      }
    case 'withdraw':
      return { type: 'input_withdrawn', messageId: command.messageId }
    case 'interrupt':
      return { type: 'interrupt_requested' }
    case 'compact':
      return { type: 'compact_requested', ids }
    case 'choose_model':
      return { type: 'model_chosen', ...facts.chosen(command.model) }
    case 'resume':
      return { type: 'resume_requested', ...facts.atStart() }
    case 'stop':
      return state.kind === 'stopping' || state.kind === 'stopped'
        ? null
        : { type: 'stop_requested', reason: command.reason }
    case 'retry':
      return {
        type: 'retry_timeout',
        target: command.target ?? {
          kind: state.retryTarget?.kind === 'harness' ? 'harness' : 'llm',
        },
        by: 'person',
        ids,
      }
    default:
      return unreachable(command)
  }
}
