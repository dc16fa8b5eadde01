import type { ChangeReason } from './kinds.ts'
import { cancelAgentCalls } from './on-agent-tool.ts'
import type { AgentError } from './records.ts'
import { giveUp, modelRetry } from './request.ts'
import { type Draft, failWith } from './step.ts'

/** A stream that broke: what it had asked for was never run and is forgotten with it. */
export function failRequest(draft: Draft, error: AgentError, reason?: ChangeReason): void {
  const { activeStreamId } = draft.state
  if (activeStreamId !== null) {
    draft.actions.push({ type: 'cancel_request', streamId: activeStreamId })
  }
  draft.state = { ...draft.state, pendingToolCalls: [], buffer: '' }
  cancelAgentCalls(draft)
  const { isExhausted, ...retry } = modelRetry(draft)
  failWith(draft, error, { ...retry, ...(error.retryable ? {} : { wakeAt: null }) })
  if (isExhausted || !error.retryable) giveUp(draft, reason)
}
