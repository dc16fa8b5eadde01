import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import { approvalArguments, approvalTool } from '../decide/judge-asks.ts'
import type { Decision } from '../run/decision.ts'
import type { ToolRequested } from '../run/events.ts'
import type { AskRecord } from '../run/snapshot.ts'
import { closeApproval } from './close-approval.ts'
import type { Draft } from './draft.ts'
import { openApproval } from './open-approval.ts'

/** Puts a policy's question to a person, unless the very same one waits already (PO-7). */
export function openAsk(
  draft: Draft<ToolRequested>,
  decision: Decision,
  reasons: readonly ReasonFacts[],
): Decision {
  const { event } = draft
  if (decision.approvalId !== undefined) return decision
  const id = event.approvalId
  const message = reasons[0]?.message ?? phrase('call_asked', { tool: event.call.tool })
  const asks = decision.asks.map(
    (ask): AskRecord => ({
      id,
      rule: ask.rule,
      tool: approvalTool(event.call),
      argsHash: approvalArguments(event.call),
      status: 'waiting',
      always: false,
      expiresAt: event.approvalExpiresAt,
      ...(event.place === undefined ? {} : { place: event.place }),
      ...(event.asker === undefined ? {} : { asker: event.asker }),
    }),
  )
  forgetExpired(draft)
  draft.run = { ...draft.run, asks: [...draft.run.asks, ...asks] }
  const { tool } = event.call
  openApproval(draft, null, { id, kind: 'ask', message, expiresAt: event.approvalExpiresAt, tool })
  return { ...decision, approvalId: id }
}

/** Questions nobody answered in time end as expired; rejections and "always" have no time. */
function forgetExpired(draft: Draft<ToolRequested>): void {
  const { at } = draft.event
  const isOver = (ask: AskRecord) => ask.status !== 'rejected' && !ask.always && ask.expiresAt <= at
  const over = draft.run.asks.filter(isOver)
  if (over.length === 0) return
  draft.run = { ...draft.run, asks: draft.run.asks.filter((ask) => !isOver(ask)) }
  const unanswered = over.filter((ask) => ask.status === 'waiting').map((ask) => ask.id)
  for (const id of new Set(unanswered)) closeApproval(draft, null, id, { verdict: 'expired' })
}
