import type { JsonObject, RunStatus, Verdict } from '@statewright/core/internal'
import type { RunMarks } from './run-marks.ts'

export interface NewRun {
  readonly runId: string
  readonly workflow: string
  readonly kind: 'workflow' | 'process'
  readonly hash: string
  readonly version: number | null
  readonly project: string | null
  readonly workspace: string | null
  /** Client session that the run belongs to, namespaced by the token that named it. */
  readonly session: string | null
  /** Token that started it: an agent sees only its own runs. */
  readonly owner: string
  readonly role: string
  readonly client: string | null
  readonly locked: boolean
  readonly createdAt: number
}

/** What lists show of a run; kept beside the history so that a list needs no replay. */
export interface RunRow extends NewRun, RunMarks {
  readonly status: RunStatus
  readonly state: string
  readonly seq: number
  readonly chain: string
  readonly updatedAt: number
  readonly calls: number
  readonly denials: number
  readonly transitions: number
  readonly costMicros: number
  /** The agent that a person's run was handed to, by its token; no other one sees it (PO-8). */
  readonly agent: string | null
  /** The MCP connection that loaded it, namespaced by its token, where no session did. */
  readonly connection: string | null
}

export interface Blob {
  readonly hash: string
  readonly callId: string
  readonly what: 'input' | 'output'
  readonly text: string
}

export interface NewApproval {
  readonly approvalId: string
  readonly runId: string
  readonly kind: 'transition' | 'ask' | 'checkpoint'
  readonly message: string
  readonly openedAt: number
  readonly expiresAt: number | null
  readonly details: JsonObject
}

export interface ApprovalRow extends NewApproval {
  readonly status: 'waiting' | Verdict
  readonly resolvedAt: number | null
  readonly resolvedBy: string | null
  readonly note: string | null
}
