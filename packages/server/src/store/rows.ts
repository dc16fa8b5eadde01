import {
  chainStart,
  type Entry,
  type JsonObject,
  type RunSnapshot,
  type RunStatus,
} from '@statewright/core/internal'
import type { Verb } from '@statewright/core/wire'
import type { Generated, Selectable } from 'kysely'
import type { MemoryRow, TaskRow } from './notebook-store.ts'
import type { NewUpdate, SessionRow } from './session-store.ts'
import type {
  ApprovalRow,
  Blob,
  DefinitionRow,
  LoadedRun,
  NewApproval,
  RunRow,
  StoredEntry,
  TokenKind,
  TokenRow,
} from './store.ts'

/** The columns that typed queries use. Whole numbers 0 and 1 stand for no and yes. */
export interface Tables {
  readonly runs: RunColumns
  readonly blobs: BlobColumns
  readonly approvals: ApprovalColumns
  readonly deliveries: DeliveryColumns
  readonly definitions: DefinitionColumns
  readonly policies: PolicyColumns
  readonly policy_epoch: { readonly epoch: number }
  readonly entries: { readonly place: number; readonly run_id: string; readonly entry: string }
  readonly programs: { readonly hash: string; readonly body: string }
  readonly tokens: TokenColumns
  readonly settings: { readonly key: string; readonly value: string }
  readonly memories: MemoryColumns
  readonly tasks: TaskColumns
  readonly sessions: SessionColumns
  readonly session_events: SessionEventColumns
  readonly session_messages: SessionMessageColumns
}

export interface RunColumns {
  readonly place: Generated<number>
  readonly run_id: string
  readonly workflow: string
  readonly kind: RunRow['kind']
  readonly hash: string
  readonly version: number | null
  readonly project: string | null
  readonly workspace: string | null
  readonly session: string | null
  readonly owner: string
  readonly role: string
  readonly client: string | null
  readonly locked: number
  readonly created_at: number
  readonly status: RunStatus
  readonly state: string
  readonly seq: number
  readonly chain: string
  readonly updated_at: number
  readonly calls: number
  readonly denials: number
  readonly passed: number
  readonly unguarded: number
  readonly transitions: number
  readonly cost_micros: number
  readonly agent: string | null
  readonly connection: string | null
}

interface BlobColumns {
  readonly run_id: string
  readonly call_id: string
  readonly what: Blob['what']
  readonly hash: string
  readonly body: string
}

interface ApprovalColumns {
  readonly place: Generated<number>
  readonly approval_id: string
  readonly run_id: string
  readonly kind: NewApproval['kind']
  readonly message: string
  readonly opened_at: number
  readonly expires_at: number | null
  readonly details: string
  readonly status: ApprovalRow['status']
  readonly resolved_at: number | null
  readonly resolved_by: string | null
  readonly note: string | null
}

interface DefinitionColumns {
  readonly name: string
  readonly version: number
  readonly kind: DefinitionRow['kind']
  readonly hash: string
  readonly body: string
  readonly saved_by: string
  readonly saved_at: number
  readonly created_at: number
  readonly draft: number
  readonly removed: number
}

export interface PolicyColumns {
  readonly name: string
  readonly version: number
  readonly project: string | null
  readonly body: string
  readonly saved_by: string
  readonly saved_at: number
  readonly created_at: number
  readonly removed: number
}

interface TokenColumns {
  readonly place: Generated<number>
  readonly token_id: string
  readonly kind: TokenKind
  readonly role: string
  readonly name: string
  readonly hash: string
  readonly created_at: number
  readonly created_by: string
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly person: string | null
  readonly verbs: string | null
}

interface DeliveryColumns {
  readonly approval_id: string
  readonly channel: string
  readonly tries: number
  readonly next_at: number
  readonly finished_at: number | null
}

interface MemoryColumns {
  readonly project: string
  readonly key: string
  readonly value: string
  readonly tags: string
  readonly folded: string
  readonly updated_at: number
}

interface TaskColumns {
  readonly place: Generated<number>
  readonly project: string
  readonly task_id: string
  readonly title: string
  readonly body: string
  readonly status: TaskRow['status']
  readonly tags: string
  readonly priority: number
  readonly claimed_by: string | null
  readonly created_at: number
  readonly updated_at: number
}

export interface SessionColumns {
  readonly place: Generated<number>
  readonly session_id: string
  readonly node: string
  readonly owner: string
  readonly role: string
  readonly harness: string
  readonly project_path: string
  readonly options: string
  readonly run_id: string | null
  readonly workflow: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly kind: SessionRow['kind']
  readonly event_place: number
  readonly message_count: number
  readonly cost_micros: number
  readonly state: string
  readonly last_error: string | null
}

interface SessionEventColumns {
  readonly session_id: string
  readonly place: number
  readonly channel: NewUpdate['channel']
  readonly body: string
}

interface SessionMessageColumns {
  readonly session_id: string
  readonly number: number
  readonly body: string
}

/** An entry as a statement reads it; `feed_at` is worked out by the database. */
export interface EntryColumns {
  readonly run_id: string
  readonly seq: number
  readonly hash: string
  readonly entry: string
  readonly feed_at: string
  readonly prev: string | null
}

export function toRunRow(row: Selectable<RunColumns>): RunRow {
  return {
    runId: row.run_id,
    workflow: row.workflow,
    kind: row.kind,
    hash: row.hash,
    version: row.version,
    project: row.project,
    workspace: row.workspace,
    session: row.session,
    owner: row.owner,
    role: row.role,
    client: row.client,
    locked: row.locked === 1,
    createdAt: row.created_at,
    status: row.status,
    state: row.state,
    seq: row.seq,
    chain: row.chain,
    updatedAt: row.updated_at,
    calls: row.calls,
    denials: row.denials,
    passed: row.passed,
    unguarded: row.unguarded === 1,
    transitions: row.transitions,
    costMicros: row.cost_micros,
    agent: row.agent,
    connection: row.connection,
  }
}

export function toEntry(row: EntryColumns): StoredEntry {
  const { run_id: runId, seq, hash, feed_at: feedAt } = row
  const prev = row.prev ?? chainStart(runId)
  return { runId, seq, hash, prev, entry: toParsedEntry(row.entry), feedAt }
}

export function toLoadedRun(
  row: Selectable<RunColumns>,
  snapshot: { readonly seq: number; readonly body: string } | undefined,
  after: readonly EntryColumns[],
): LoadedRun {
  return {
    row: toRunRow(row),
    snapshot: snapshot === undefined ? undefined : parseSnapshot(snapshot.body),
    snapshotSeq: snapshot?.seq ?? 0,
    after: after.map(toEntry),
  }
}

export function toApproval(row: Selectable<ApprovalColumns>): ApprovalRow {
  return {
    approvalId: row.approval_id,
    runId: row.run_id,
    kind: row.kind,
    message: row.message,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    details: parseDetails(row.details),
    status: row.status,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    note: row.note,
  }
}

export function toDefinition(row: Selectable<DefinitionColumns>): DefinitionRow {
  return {
    name: row.name,
    kind: row.kind,
    hash: row.hash,
    text: row.body,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
    draft: row.draft === 1,
    version: row.version,
    createdAt: row.created_at,
  }
}

export function toToken(row: Selectable<TokenColumns>): TokenRow {
  return {
    tokenId: row.token_id,
    kind: row.kind,
    role: row.role,
    name: row.name,
    hash: row.hash,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    person: row.person,
    // We wrote them, from the same list.
    verbs: row.verbs === null ? null : (JSON.parse(row.verbs) as readonly Verb[]),
  }
}

export function toMemory(row: Selectable<MemoryColumns>): MemoryRow {
  const { project, key, value, updated_at: updatedAt } = row
  return { project, key, value, tags: parseTags(row.tags), updatedAt }
}

export function toTask(row: Selectable<TaskColumns>): TaskRow {
  return {
    taskId: row.task_id,
    project: row.project,
    title: row.title,
    body: row.body,
    status: row.status,
    tags: parseTags(row.tags),
    priority: row.priority,
    claimedBy: row.claimed_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

// The texts below were written by `encode.ts` and `queries/`, from values of these types.

export function toParsedEntry(text: string): Entry {
  return JSON.parse(text)
}

function parseSnapshot(text: string): RunSnapshot {
  return JSON.parse(text)
}

function parseDetails(text: string): JsonObject {
  return JSON.parse(text)
}

function parseTags(text: string): readonly string[] {
  return JSON.parse(text)
}
