import { limits } from '../base/limits.ts'
import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import { displayTool, toolRef } from '../call/tool-names.ts'
import type { AskRule } from '../run/decision.ts'
import type { AskRecord, RunSnapshot } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { isAllowedBefore } from './allowed-before.ts'

/** Where a policy's questions about a call stand. */
export interface AskState {
  /** Rules that no person has answered for this call yet. */
  readonly open: readonly AskRule[]
  /** The approval that already waits for exactly this call. */
  readonly waitingId: string | null
  /** Approvals that this call uses up when it is let through. */
  readonly spends: readonly string[]
  readonly reasons: readonly ReasonFacts[]
}

/** When, where and for whom a call is judged. */
interface Asking {
  readonly at: number
  readonly place?: string | undefined
  readonly asker?: string | undefined
}

const settled: AskState = { open: [], waitingId: null, spends: [], reasons: [] }

/**
 * Looks the questions up among those already put to a person. An approval is bound to the exact
 * arguments and serves once; a rejection holds for the rest of the run; "always" frees the rule
 * for this run (PO-7).
 */
export function judgeAsks(
  run: RunSnapshot,
  asks: readonly AskRule[],
  call: ToolCall,
  { at, place, asker }: Asking,
): AskState {
  if (asks.length === 0) return settled
  const open: AskRule[] = []
  const spends: string[] = []
  const reasons: ReasonFacts[] = []
  let waitingId: string | null = null
  for (const ask of asks) {
    const known = run.asks.filter((record) => record.rule === ask.rule)
    const mine = known.filter((record) => isSameCall(record, call))
    const here = mine.filter(
      (record) =>
        (record.place === undefined || record.place === place) &&
        (record.asker === undefined || record.asker === asker),
    )
    const rejected = mine.find((record) => record.status === 'rejected')
    if (rejected !== undefined) {
      reasons.push(rejectedReason(ask))
      continue
    }
    const tool = approvalTool(call)
    const isFree = known.some((record) =>
      isAllowedBefore(record, {
        ...{ call, tool, at, place, asker },
        isSameCall: isSameCall(record, call),
      }),
    )
    if (isFree) continue
    const approved = here.find((record) => record.status === 'approved' && record.expiresAt > at)
    if (approved !== undefined) {
      spends.push(approved.id)
      continue
    }
    waitingId ??= here.find((one) => one.status === 'waiting' && one.expiresAt > at)?.id ?? null
    open.push(ask)
  }
  const waiting = run.asks.filter((record) => record.status === 'waiting' && record.expiresAt > at)
  const count = new Set(waiting.map((record) => record.id)).size
  if (open.length > 0 && waitingId === null && count >= limits.openApprovals) {
    reasons.push({
      code: 'approvals_full',
      message: phrase('approvals_full', { count }),
      path: open[0]?.reason.path ?? '',
    })
  }
  return { open, waitingId, spends, reasons }
}

function isSameCall(record: AskRecord, call: ToolCall): boolean {
  return record.argsHash === approvalArguments(call) && record.tool === approvalTool(call)
}

/** What an approval is bound to: the arguments, and the scripts that a command would run. */
export function approvalArguments({ argsHash, scripts }: ToolCall): string {
  return scripts === undefined ? argsHash : `${argsHash}+${scripts}`
}

/** Whether what an approval is bound to holds scripts as well. */
export function isBoundToFiles(approvalArguments: string): boolean {
  return approvalArguments.includes('+')
}

/** The tool with its server: the same words sent to another server are another call. */
export function approvalTool(call: ToolCall): string {
  return displayTool(toolRef(call.tool, call.server))
}

function rejectedReason(ask: AskRule): ReasonFacts {
  return {
    code: 'approval_rejected',
    message: phrase('approval_rejected'),
    path: ask.reason.path,
  }
}
