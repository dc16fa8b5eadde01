import {
  chainStart,
  type Entry,
  type JsonObject,
  type RunSnapshot,
} from '@statewright/core/internal'
import type { Verb } from '@statewright/core/wire'
import type { Generated, Selectable } from 'kysely'
import type { ArchivedRun } from './archive-store.ts'
import type { MemoryRow, TaskRow } from './notebook-store.ts'
import type { PolicyRow } from './policy-store.ts'
import type { NewUpdate, SessionRow } from './session-store.ts'
import type {
  ApprovalRow,
  Blob,
  DefinitionRow,
  LoadedRun,
  MovedRuns,
  RunRow,
  StoredEntry,
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
  readonly entries: EntryTable
  readonly snapshots: { readonly run_id: string; readonly seq: number; readonly body: string }
  readonly archived_runs: Columns<ArchivedRun> & { readonly cleared: number }
  /** On Postgres only. */
  readonly ended_runs: { readonly run_id: string; readonly ended_at: number }
  readonly archived_spend: {
    readonly run_id: string
    readonly hour: number
    readonly cost_micros: number
  }
  readonly programs: { readonly hash: string; readonly body: string }
  readonly tokens: TokenColumns
  readonly settings: { readonly key: string; readonly value: string }
  readonly memories: MemoryColumns
  readonly tasks: TaskColumns
  readonly sessions: SessionColumns
  readonly session_events: SessionEventColumns
  readonly session_messages: SessionMessageColumns
}

interface EntryTable {
  readonly place: number
  readonly run_id: string
  readonly seq: number
  readonly entry: string
}

/** How a field of a row is stored: yes and no as whole numbers, lists and objects as JSON. */
type Stored<Value> = Value extends boolean ? number : Value extends object ? string : Value

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name

/** `runId` of a row is the column `run_id`. */
export type Columns<Row> = {
  readonly [Field in keyof Row & string as Snake<Field>]: Stored<Row[Field]>
}

/** In the order in which they were written. */
interface Placed {
  readonly place: Generated<number>
}

export interface RunColumns extends Columns<RunRow>, Placed {}

interface BlobColumns {
  readonly run_id: string
  readonly call_id: string
  readonly what: Blob['what']
  readonly hash: string
  readonly body: string
}

interface ApprovalColumns extends Columns<ApprovalRow>, Placed {}

/** A text is the body of its row. */
type TextColumns<Row> = Columns<Omit<Row, 'text'>> & {
  readonly body: string
  readonly removed: number
}
type DefinitionColumns = TextColumns<DefinitionRow>
type PolicyColumns = TextColumns<PolicyRow>

interface TokenColumns extends Columns<TokenRow>, Placed {}

interface DeliveryColumns {
  readonly approval_id: string
  readonly channel: string
  readonly tries: number
  readonly next_at: number
  readonly finished_at: number | null
}

interface MemoryColumns extends Columns<MemoryRow> {
  readonly folded: string
}

interface TaskColumns extends Columns<TaskRow>, Placed {}

export interface SessionColumns extends Columns<Omit<SessionRow, 'place'>>, Placed {
  readonly event_place: number
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

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** The columns under the names of the program. The place in its table is nobody's business. */
export function fieldsOf<Row extends object>(row: Row) {
  const named: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    if (column !== 'place') named[nameOf(column)] = value
  }
  // The same rule for names as that of the type.
  return named as {
    readonly [Column in Exclude<keyof Row & string, 'place'> as Camel<Column>]: Row[Column]
  }
}

/** There are few columns and very many rows. */
const names = new Map<string, string>()

function nameOf(column: string): string {
  const known = names.get(column)
  if (known !== undefined) return known
  const name = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  names.set(column, name)
  return name
}

export function toRunRow(row: Selectable<RunColumns>): RunRow {
  return { ...fieldsOf(row), locked: row.locked === 1, unguarded: row.unguarded === 1 }
}

export function toEntry(row: EntryColumns): StoredEntry {
  const { run_id: runId, seq, hash, feed_at: feedAt } = row
  const prev = row.prev ?? chainStart(runId)
  return { runId, seq, hash, prev, entry: toParsedEntry(row.entry), feedAt }
}

export interface MovedColumns {
  readonly run_id: string
  readonly first_seq: number
  readonly last_seq: number
  readonly entries: number
}

export function toMovedRuns(
  rows: readonly MovedColumns[],
  limit: number,
  position: string,
): MovedRuns {
  const runs = rows.map(({ run_id: runId, first_seq: firstSeq, last_seq: lastSeq }) => {
    return { runId, firstSeq, lastSeq }
  })
  const read = rows.reduce((sum, { entries }) => sum + entries, 0)
  return { runs, position, isFull: read >= limit }
}

export type EntryBody = Pick<EntryColumns, 'seq' | 'entry'>

export function toEntryBody({ seq, entry }: EntryBody): Pick<StoredEntry, 'seq' | 'entry'> {
  return { seq, entry: toParsedEntry(entry) }
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
  return { ...fieldsOf(row), details: parseDetails(row.details) }
}

export function toDefinition(columns: Selectable<DefinitionColumns>): DefinitionRow {
  const { body: text, removed: _, ...row } = columns
  return { ...fieldsOf(row), text, draft: row.draft === 1 }
}

export function toPolicy(columns: Selectable<PolicyColumns>): PolicyRow {
  const { body: text, removed: _, ...row } = columns
  return { ...fieldsOf(row), text }
}

export function toToken(row: Selectable<TokenColumns>): TokenRow {
  // We wrote them, from the same list.
  const verbs = row.verbs === null ? null : (JSON.parse(row.verbs) as readonly Verb[])
  return { ...fieldsOf(row), verbs }
}

export function toMemory(row: Selectable<MemoryColumns>): MemoryRow {
  const { project, key, value, updated_at: updatedAt } = row
  return { project, key, value, tags: parseTags(row.tags), updatedAt }
}

export function toTask(row: Selectable<TaskColumns>): TaskRow {
  return { ...fieldsOf(row), tags: parseTags(row.tags) }
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
