import {
  type JsonObject,
  lanesOf,
  type RunEvent,
  type Step,
  textOf,
} from '@statewright/core/internal'
import type { UsedOf } from '../base/used-of.ts'
import type { Batch, ClosedApproval, NewApproval } from '../store/store.ts'

export interface Asker {
  readonly name: string
  readonly role: string
}

/** What the caller knows of an approval that may be opened, for anyone who must decide on it. */
export interface ApprovalExtras {
  /** Facts about an approval that the inbox shows, should one be opened. */
  readonly approvalDetails?: NewApproval['details']
  /** Who asks, as people know them. */
  readonly asker?: Asker
  /** Rules that ask a person, by their key, with what is used of their limits (PO-7). */
  readonly asking?: ReadonlyMap<string, readonly UsedOf[]>
}

/** Rows of the inbox that a step opens and closes. */
export function approvalsOf(
  runId: string,
  step: Step,
  event: RunEvent,
  extras: ApprovalExtras,
): Pick<Batch, 'opened' | 'closed'> {
  const opened: NewApproval[] = []
  const closed: ClosedApproval[] = []
  for (const action of step.actions) {
    if (action.type === 'open_approval') {
      const { approvalId, kind, message, expiresAt } = action
      const details = {
        ...openedFacts(step, approvalId),
        ...(kind === 'ask' ? approvalFacts(step, extras) : {}),
        ...askerFacts(event, extras),
        ...extras.approvalDetails,
      }
      opened.push({ approvalId, runId, kind, message, openedAt: event.at, expiresAt, details })
    } else if (action.type === 'close_approval') {
      const note = event.type === 'approval_resolved' ? (event.note ?? null) : null
      const { approvalId, verdict } = action
      closed.push({ approvalId, verdict, by: event.by.id, at: event.at, note })
    }
  }
  return {
    ...(opened.length === 0 ? {} : { opened }),
    ...(closed.length === 0 ? {} : { closed }),
  }
}

/** Which agent wants it, and why it says so: a person decides on both. */
function askerFacts(event: RunEvent, { asker }: ApprovalExtras): JsonObject {
  const rationale = event.type === 'answer_given' ? event.rationale : undefined
  return {
    ...(asker === undefined ? {} : { agent: asker.name, role: asker.role }),
    ...(rationale === undefined ? {} : { rationale }),
  }
}

/** What the history says of the question: its event, where from and where to, its tool. */
function openedFacts(step: Step, approvalId: string): NewApproval['details'] {
  for (const entry of step.entries) {
    if (entry.type !== 'approval_opened' || entry.approval_id !== approvalId) continue
    const { event, from, to, tool } = entry
    const lanes = lanesOf(step.run)
    const data = lanes.find(({ approval }) => approval?.id === approvalId)?.approval?.data ?? {}
    return {
      // What the agent wants to have written into the context is part of what is approved.
      ...(Object.keys(data).length === 0 ? {} : { data }),
      ...(event === undefined ? {} : { event }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(tool === undefined ? {} : { tool }),
    }
  }
  return {}
}

/** Where the call was made, which rules ask about it, and what is used of them. */
function approvalFacts({ answer, entries }: Step, { asking }: ApprovalExtras): JsonObject {
  if (answer.type !== 'decided') return {}
  const decided = entries.find((entry) => entry.type === 'call_decided')
  const rules = answer.decision.asks.map(({ rule, reason }) => ({
    path: reason.path,
    message: textOf(reason.message),
    usage: (asking?.get(rule) ?? []).map((one) => ({ ...one })),
  }))
  return { ...(decided === undefined ? {} : { state: decided.state }), rules }
}
