import {
  type AgentEvent,
  type AgentState,
  brokenStream,
  type FreshIds,
} from '@statewright/core/internal'
import type { Clock } from '../../base/clock.ts'

type MakeEvent = (state: AgentState, ids: FreshIds) => AgentEvent | null

/** A state may name a model that takes less than the one before: the request may have to wait. */
export function windowEvent(streamId: string, contextTokens: number | undefined): MakeEvent {
  return ({ kind, activeStreamId, settings }, ids) => {
    if (kind !== 'calling_llm' || activeStreamId !== streamId) return null
    const isKnown = contextTokens === undefined || settings?.contextTokens === contextTokens
    return isKnown ? null : { type: 'window_known', contextTokens, ids }
  }
}

/** The request under way fails for a reason of ours. */
export function brokenRequest(
  clock: Clock,
  { code, message, retryable }: { code: string; message: string; retryable: boolean },
): MakeEvent {
  return (state, ids) => {
    if (state.kind !== 'calling_llm') return null
    const facts = { ids, eventId: clock.newId('evt'), code, message }
    const event = brokenStream(state, clock.now(), facts)
    if (retryable || event.type !== 'harness_stream') return event
    const { streamEvent } = event
    const payload = { ...streamEvent.payload, retryable: false }
    return { ...event, streamEvent: { ...streamEvent, payload } }
  }
}
