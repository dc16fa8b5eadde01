import { shownEntry } from '@statewright/core/internal'
import type * as Wire from '@statewright/core/wire'
import { ApprovalDetails, type Constant } from '@statewright/core/wire'
import type { Denial } from '../../guard/denial.ts'
import type { AllowedCall, JudgedCall } from '../../guard/guarded-call.ts'
import type { RunRef } from '../../runtime/runs/find-run.ts'
import type { ApprovalRow, RunRow, StoredEntry, TokenRow } from '../../store/store.ts'

type Decision = Constant<Wire.Decision>
type RunLine = Constant<Wire.RunLine>
type Entry = Constant<Wire.Entry>
type Approval = Constant<Wire.Approval>

/** A decision as the wire spells it. */
export function wireDenial(denial: Denial): Decision {
  const { decision, code, message, reasons, approvalId, allowedTools, events, way } = denial
  return {
    decision,
    code,
    message,
    reasons,
    approval_id: approvalId,
    allowed_tools: allowedTools,
    events,
    way,
    run_id: denial.runId,
    call_id: denial.callId,
    notices: denial.notices,
  }
}

export function wireJudged(judged: JudgedCall): Decision {
  if (judged.decision !== 'allow') return wireDenial(judged)
  return { ...wireAllow(judged), contained: judged.plan.contain === undefined ? undefined : true }
}

/** In observe mode what would have been denied passes, with what would have been said. */
export function wireAllow(
  allowed: Pick<AllowedCall, 'runId' | 'callId' | 'allowedTools' | 'notices' | 'would'>,
): Decision {
  const { runId: run_id, callId: call_id, allowedTools: allowed_tools, notices, would } = allowed
  const names = { run_id, call_id, notices, allowed_tools, decision: 'allow' } as const
  if (would === undefined) return { reasons: [], events: [], ...names }
  return { ...wireDenial(would), ...names, would: would.decision }
}

export function wireRun(row: RunRow): RunLine {
  return {
    run_id: row.runId,
    workflow: row.workflow,
    kind: row.kind,
    program_hash: row.hash,
    version: row.version,
    status: row.status,
    state: row.state,
    project: row.project,
    workspace: row.workspace,
    owner: row.owner,
    agent: row.agent,
    role: row.role,
    client: row.client,
    locked: row.locked,
    seq: row.seq,
    calls: row.calls,
    denials: row.denials,
    passed: row.passed,
    unguarded: row.unguarded,
    transitions: row.transitions,
    cost_usd: row.costMicros / 1_000_000,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** One line of history, flat and in words; the event behind it only where it is asked for. */
export function wireEntry({ seq, hash, prev, entry }: StoredEntry, withCause = false): Entry {
  const { cause, ...facts } = shownEntry(entry)
  return { seq, ...facts, hash, prev, actor: cause?.by, cause: withCause ? cause : undefined }
}

export function wireApproval(row: ApprovalRow): Approval {
  const { input, ...details } = ApprovalDetails.parse(row.details)
  return {
    ...details,
    input: typeof input === 'string' && input !== '' ? textValue(input) : undefined,
    approval_id: row.approvalId,
    run_id: row.runId,
    kind: row.kind,
    status: row.status,
    message: row.message,
    opened_at: row.openedAt,
    expires_at: row.expiresAt ?? undefined,
    ...(row.resolvedAt === null
      ? {}
      : { resolved_at: row.resolvedAt, resolved_by: row.resolvedBy, note: row.note }),
  }
}

/** Inputs are kept as text, cut when they are long; a whole one is shown as the value it is. */
export function textValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Never the hash: anyone who has it could look for the secret at leisure. */
export function wireToken(row: TokenRow): Constant<Wire.Token> {
  return {
    id: row.tokenId,
    kind: row.kind,
    role: row.role,
    name: row.name,
    person: row.person ?? undefined,
    verbs: row.verbs ?? undefined,
    created_at: row.createdAt,
    created_by: row.createdBy,
    expires_at: row.expiresAt,
    revoked_at: row.revokedAt,
  }
}

const sessionPrefix = 'session:'

/** A run in a path: its id, or `session:` and the session it belongs to. */
export function runRef(id: string): RunRef {
  return id.startsWith(sessionPrefix) ? { session: id.slice(sessionPrefix.length) } : { run: id }
}
