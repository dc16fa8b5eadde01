import type { Approval } from '@statewright/core/wire'
import { printable } from './report.ts'
import { ago } from './times.ts'

/** The event or the call that waits. */
export function whatWaits(approval: Approval): string {
  if (approval.tool !== undefined) return approval.tool
  const { event, from, to } = approval
  if (event === undefined) return approval.kind
  return `${event}: ${from ?? '?'} -> ${to ?? '?'}`
}

/**
 * All that a decision needs. What the agent wrote is whole and stands behind a bar, line by line:
 * it can neither be taken for our words nor hide a part of itself (PO-7d).
 */
export function approvalLines(approval: Approval): string[] {
  const { approval_id, run_id, message, input, data, opened_at } = approval
  const { agent, role, rationale } = approval
  const { if_approved, if_rejected, if_expired, input_more: more = 0 } = approval
  return [
    `${approval_id}: ${whatWaits(approval)}, ${ago(opened_at)}`,
    `  run:   ${run_id}`,
    ...(agent === undefined ? [] : [`  agent: ${agent}, role ${role ?? 'agent'}`]),
    `  says:  ${message}`,
    ...(rationale === undefined ? [] : ['  because:', ...bar(rationale)]),
    ...quoted(input ?? data ?? {}),
    ...(more === 0 ? [] : [`  ${more} more characters were not stored: the input is too long.`]),
    ...(if_approved === undefined ? [] : [`  if approved: ${if_approved}`]),
    ...(if_rejected === undefined ? [] : [`  if rejected: ${if_rejected}`]),
    ...(if_expired === undefined ? [] : [`  if nobody answers: ${if_expired}`]),
  ].map(printable)
}

function quoted(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return ['  input:', ...bar(value)]
  return Object.entries(value).flatMap(([name, one]) => [`  ${name}:`, ...bar(one)])
}

function bar(value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  return text.split('\n').map((line) => `    | ${line}`)
}
