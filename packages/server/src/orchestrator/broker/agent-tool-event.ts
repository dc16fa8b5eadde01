import {
  type AgentEvent,
  type FreshIds,
  isMutatingCall,
  payloadText,
  type StreamEvent,
} from '@statewright/core/internal'

/** What the stream of an agent with tools of its own says of one of its calls (SE-6a). */
export function agentToolEvent(streamEvent: StreamEvent, ids: FreshIds): AgentEvent | null {
  const { streamId, payload } = streamEvent
  const [callId, name] = [payloadText(streamEvent, 'callId'), payloadText(streamEvent, 'name')]
  if (callId === '' || name === '') return null
  const args = payload.arguments ?? {}
  const call = { callId, name, arguments: args, mutating: isMutatingCall(name, args) }
  const about = { type: 'agent_tool', streamId, call, ids } as const
  if (streamEvent.type === 'tool_call_delta') {
    const isWaiting = payloadText(streamEvent, 'status') === 'queued'
    return { ...about, status: isWaiting ? 'queued' : 'running' }
  }
  if (streamEvent.type !== 'tool_call_completed') return null
  const [error, output] = [payloadText(streamEvent, 'error'), payloadText(streamEvent, 'output')]
  return {
    ...about,
    status: 'succeeded',
    output,
    isError: payload.isError === true,
    ...(error === '' ? {} : { error }),
    ...(payload.changedNothing === true ? { changedNothing: true } : {}),
  }
}
