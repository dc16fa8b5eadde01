import type { Decision } from '../run/decision.ts'
import type { ToolRequested } from '../run/events.ts'
import type { AskRecord } from '../run/snapshot.ts'
import { type Draft, record } from './draft.ts'

/** Puts a policy's question to a person, unless the very same one waits already (PO-7). */
export function openAsk(draft: Draft<ToolRequested>, decision: Decision): Decision {
  const { event } = draft
  if (decision.approvalId !== undefined) return decision
  const id = event.approvalId
  const message = decision.message ?? `May ${event.call.tool} be called?`
  const asks = decision.asks.map(
    (ask): AskRecord => ({
      id,
      rule: ask.rule,
      tool: event.call.tool,
      argsHash: event.call.argsHash,
      status: 'waiting',
      always: false,
      expiresAt: event.approvalExpiresAt,
    }),
  )
  draft.run = { ...draft.run, asks: [...stillNeeded(draft), ...asks] }
  const { tool } = event.call
  const expiresAt = event.approvalExpiresAt
  record(draft, {
    type: 'approval_opened',
    approval_id: id,
    kind: 'ask',
    message,
    tool,
    expires_at: expiresAt,
  })
  draft.actions.push({ type: 'open_approval', approvalId: id, kind: 'ask', message, expiresAt })
  return { ...decision, approvalId: id }
}

/** Questions and approvals whose time is over are forgotten; rejections are not. */
function stillNeeded(draft: Draft<ToolRequested>): readonly AskRecord[] {
  const { at } = draft.event
  return draft.run.asks.filter(
    (ask) => ask.status === 'rejected' || ask.always || ask.expiresAt > at,
  )
}
