import type {
  ChainedEntry,
  Entry,
  RunSnapshot,
  RunStatus,
  Verdict,
} from '@statewright/core/internal'
import type { Verb } from '@statewright/core/wire'
import type { ArchiveStore } from './archive-store.ts'
import type { CounterCharges, CounterSettles, CounterStore, CounterTakes } from './counter-store.ts'
import type { NodeStore } from './node-store.ts'
import type { NotebookStore } from './notebook-store.ts'
import type { PolicyStore } from './policy-store.ts'
import type { RunMarks } from './run-marks.ts'
import type { ApprovalRow, Blob, NewApproval, NewRun, RunRow } from './run-row.ts'
import type { SessionStore } from './session-store.ts'

export type { ApprovalRow, Blob, NewApproval, NewRun, RunRow } from './run-row.ts'

/**
 * Everything that must survive. Two backends implement it, SQLite and Postgres, and one shared
 * suite holds them to the same behaviour. Whatever goes wrong below throws `StoreFault`, which on
 * the path of a guarded call means denial.
 */
export interface Store {
  readonly runs: RunStore
  readonly definitions: DefinitionStore
  readonly policies: PolicyStore
  readonly approvals: ApprovalStore
  readonly deliveries: DeliveryStore
  readonly spend: SpendStore
  readonly activity: ActivityStore
  readonly counters: CounterStore
  readonly tokens: TokenStore
  readonly settings: SettingStore
  readonly notebook: NotebookStore
  readonly sessions: SessionStore
  readonly nodes: NodeStore
  readonly archive: ArchiveStore
  /** Committed entries of all runs, in an order that never skips a late commit. */
  readonly feed: FeedStore
  /** What a power failure took although it was acknowledged; `durability: power` outlives one. */
  readonly lost?: LostWrites | undefined
  /** Whether it can be written right now; for `/readyz`. */
  check(): Promise<void>
  /** Resolves when readers beside this store see all that it has acknowledged. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface LostWrites {
  readonly count: number
  /** The file that still holds them. */
  readonly copy: string
}

export interface RunStore {
  /** Creates a run with its first entries. A run id that exists already is a conflict. */
  create(run: NewRun, batch: Batch): Promise<Committed>
  /**
   * Appends entries if the run still stands at `batch.afterSeq`, together with everything else
   * the batch holds, or nothing at all. Resolves only when the entries are durable.
   */
  append(runId: string, batch: Batch): Promise<Committed>
  /** The run with its newest stored snapshot and the entries after it. */
  load(runId: string): Promise<LoadedRun | undefined>
  list(filter: RunFilter): Promise<RunPage>
  entries(runId: string, page: { after: number; limit: number }): Promise<readonly StoredEntry[]>
  /** The same without what proves them, for anyone who reads very many. */
  entryBodies(
    runId: string,
    page: { after: number; limit: number },
  ): Promise<readonly Pick<StoredEntry, 'seq' | 'entry'>[]>
  /** The decision on a call, for a repeated id; undefined when there was none. */
  entryOfCall(runId: string, callId: string): Promise<StoredEntry | undefined>
  /** Raw input and output kept for a call; empty when nothing was kept. */
  blobsOfCall(runId: string, callId: string): Promise<readonly Blob[]>
  /** The newest run of a client session, whatever became of it. */
  newestOfSession(session: string): Promise<RunRow | undefined>
  /** The newest run of a workflow that a person started, whatever became of it. */
  newestOfPeople(workflow: string): Promise<RunRow | undefined>
  /** When a run ended; later calls are added behind that. */
  endedAt(runId: string): Promise<number | undefined>
  /** Sums over the next runs of one status that goes on, in the order of their creation. */
  unfinishedTotals(page: {
    readonly status: RunStatus
    readonly seenBy?: string
    /** `next` of the page before. */
    readonly after?: number
    readonly limit: number
  }): Promise<{ readonly totals: RunTotals; readonly next: number | null }>
  /** Runs of a workflow in a project, newest first. */
  ofWorkflow(wanted: {
    readonly workflow: string
    readonly project: string | null
    readonly status: readonly RunStatus[]
    readonly seenBy?: string
    readonly limit: number
  }): Promise<readonly RunRow[]>
  /** From now on the run is that client session's, whichever had it before. */
  moveToSession(runId: string, session: string): Promise<void>
  /** Hands a run to an agent, unless one has it already; gives back who has it now. */
  bindAgent(runId: string, tokenId: string): Promise<string | null>
  /** From now on the connection means this run and no other, whichever had it before. */
  bindConnection(runId: string, connection: string): Promise<void>
}

export type Committed =
  | { readonly kind: 'committed'; readonly feedAt: string }
  /** Somebody wrote first, a counter has no room, or other policies hold: decide again. */
  | { readonly kind: 'conflict' }

/** What one step of a run makes durable, all of it or nothing. */
export interface Batch {
  readonly afterSeq: number
  readonly entries: readonly ChainedEntry[]
  /** Written on transitions and now and then, not per call; it stands at the batch's last entry. */
  readonly snapshot?: RunSnapshot
  readonly row: Pick<
    RunRow,
    'status' | 'state' | 'updatedAt' | 'calls' | 'denials' | 'transitions' | 'costMicros'
  >
  /** Where they have changed, which is rare. */
  readonly marks?: RunMarks
  readonly opened?: readonly NewApproval[]
  readonly closed?: readonly ClosedApproval[]
  /** Rates and budgets that the call takes; when one has no room, the whole batch is a conflict. */
  readonly takes?: CounterTakes
  readonly settles?: CounterSettles
  readonly charges?: CounterCharges
  /** The policies by which it was decided; when others hold by now, the batch is a conflict. */
  readonly policyEpoch?: number
  /** Raw inputs and outputs by their hash; the history holds only the hash. */
  readonly blobs?: readonly Blob[]
}

export interface StoredEntry extends ChainedEntry {
  readonly runId: string
  /** Hash of the entry before; of the first one, what the chain begins with. */
  readonly prev: string
  /** Place in the feed of all runs. */
  readonly feedAt: string
}

export interface LoadedRun {
  readonly row: RunRow
  readonly snapshot: RunSnapshot | undefined
  readonly snapshotSeq: number
  readonly after: readonly StoredEntry[]
}

export interface RunFilter {
  readonly status?: readonly RunStatus[]
  readonly workflow?: string
  /** All workflows but this one. */
  readonly without?: string
  readonly project?: string
  readonly owner?: string
  /** Only runs that this token started or was handed (PO-8). */
  readonly seenBy?: string
  readonly session?: string
  readonly connection?: string
  /** Words that each run must hold, in its row, its history or the arguments of its calls. */
  readonly search?: string
  /** Only runs that changed since then. */
  readonly since?: number
  readonly limit: number
  /** `next` of the page before. */
  readonly cursor?: string
}

export interface RunTotals
  extends Pick<RunRow, 'calls' | 'denials' | 'passed' | 'transitions' | 'costMicros'> {
  readonly runs: number
  /** Approvals that wait for a person. */
  readonly waiting: number
}

export interface RunPage {
  readonly runs: readonly RunRow[]
  readonly next: string | null
}

/** Definitions are kept as text, since the order of keys is meaning. */
export interface DefinitionStore {
  /** Saves a new version, unless the newest one has the same hash. */
  save(definition: NewDefinition): Promise<DefinitionRow>
  newest(name: string): Promise<DefinitionRow | undefined>
  version(name: string, version: number): Promise<DefinitionRow | undefined>
  versions(name: string): Promise<readonly DefinitionRow[]>
  list(kind?: 'workflow' | 'process'): Promise<readonly DefinitionRow[]>
  remove(name: string): Promise<boolean>
  /** A program that a run is bound to: the texts of the definition and all it invokes. */
  saveProgram(hash: string, text: string): Promise<void>
  program(hash: string): Promise<string | undefined>
}

export interface NewDefinition {
  readonly name: string
  readonly kind: 'workflow' | 'process'
  readonly hash: string
  readonly text: string
  readonly savedBy: string
  readonly savedAt: number
  /** Stored by an agent: a person has not accepted it yet. */
  readonly draft: boolean
}

export interface DefinitionRow extends NewDefinition {
  readonly version: number
  readonly createdAt: number
}

export interface SpendStore {
  /** What was spent in each hour that saw any cost, oldest first. */
  byHour(filter: {
    readonly from: number
    readonly to: number
    /** Only runs that this token started or was handed. */
    readonly seenBy?: string
  }): Promise<readonly HourOfSpend[]>
}

export interface HourOfSpend {
  /** Start of the hour, in epoch milliseconds. */
  readonly at: number
  readonly costMicros: number
}

export type ActivityKind = 'allowed' | 'passed' | 'asked' | 'denied' | 'transitioned' | 'refused'

/** From `from` until before `to`, in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/**
 * What happened lately, for charts. Only the newest entries are read: charts hold up no call.
 */
export interface ActivityStore {
  /** How often each kind of thing happened in each stretch of time that saw it. */
  counts(window: TimeWindow & { readonly slotMs: number }): Promise<readonly ActivityCount[]>
  /** Denied calls and refused moves, newest first. */
  denials(window: TimeWindow & { readonly limit: number }): Promise<readonly DenialRow[]>
  /** Approvals that were opened, newest first. */
  approvals(window: TimeWindow & { readonly limit: number }): Promise<readonly ApprovalRow[]>
}

export interface ActivityCount {
  /** Start of the stretch. */
  readonly at: number
  readonly kind: ActivityKind
  readonly count: number
}

export interface DenialRow {
  readonly runId: string
  readonly workflow: string
  readonly entry: Entry
}

export interface ClosedApproval {
  readonly approvalId: string
  readonly verdict: Verdict
  readonly by: string
  readonly at: number
  readonly note: string | null
}

export interface ApprovalStore {
  get(approvalId: string): Promise<ApprovalRow | undefined>
  list(filter: {
    readonly status?: ApprovalRow['status']
    readonly runId?: string
    /** The newest question first, unless only those with an answer, by the time of it. */
    readonly order?: 'opened' | 'resolved'
    readonly limit: number
  }): Promise<readonly ApprovalRow[]>
  /** Waiting ones whose time is over. */
  expired(at: number): Promise<readonly ApprovalRow[]>
}

/** Who was told of which approval. What waits follows from what is not told: nothing is lost. */
export interface DeliveryStore {
  /** Approvals that wait and of which a channel is to be told by now, oldest first. */
  due(channel: string, at: number, limit: number): Promise<readonly DueDelivery[]>
  /**
   * Takes one to tell, if it still stands at so many tries. Anyone who takes it has until `nextAt`;
   * then it is due again, also when the one who took it was killed.
   */
  take(delivery: {
    readonly approvalId: string
    readonly channel: string
    readonly tries: number
    readonly nextAt: number
  }): Promise<boolean>
  /** It went through, or is given up. */
  finish(approvalId: string, channel: string, at: number): Promise<void>
}

export interface DueDelivery {
  readonly approval: ApprovalRow
  /** How often it was tried before. */
  readonly tries: number
}

export type TokenKind = 'hook' | 'agent' | 'person'

export interface TokenRow {
  readonly tokenId: string
  readonly kind: TokenKind
  readonly role: string
  readonly name: string
  /** Only the hash is kept: nothing on disk alone makes a person. */
  readonly hash: string
  readonly createdAt: number
  readonly createdBy: string
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** The name of the person whose login it is. */
  readonly person: string | null
  /** What a service may do with it that people must prove to be there for. */
  readonly verbs: readonly Verb[] | null
}

export interface TokenStore {
  add(token: TokenRow): Promise<void>
  /** Gives a token that is there a new secret, and what else is said of it; false if none is. */
  renew(token: TokenRow): Promise<boolean>
  byHash(hash: string): Promise<TokenRow | undefined>
  /** The one token whose hash begins so; undefined when there is none, or more than one. */
  byHashStart(start: string): Promise<TokenRow | undefined>
  list(): Promise<readonly TokenRow[]>
  revoke(tokenId: string, at: number): Promise<boolean>
  /** Forgets the tokens of a role that expired before this time. */
  dropExpired(role: string, before: number): Promise<void>
}

/** Small facts of the server: pinned hashes, the PIN's hash, marks of a clean stop. */
export interface SettingStore {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  /** Sets it only if it still has the expected value; for marks that several nodes share. */
  swap(key: string, expected: string | undefined, value: string): Promise<boolean>
}

export interface FeedStore {
  /** The newest place; a reader that starts here sees only what comes. */
  head(): Promise<string>
  after(position: string, limit: number): Promise<readonly StoredEntry[]>
  /** Which runs have entries behind a place, among so many entries, without reading those. */
  moved(position: string, limit: number): Promise<MovedRuns>
  /** Calls back when something may have been committed, by this node or another. */
  listen(wake: () => void): Promise<() => Promise<void>>
}

export interface MovedRuns {
  readonly runs: readonly {
    readonly runId: string
    readonly firstSeq: number
    readonly lastSeq: number
  }[]
  /** Where to read on. */
  readonly position: string
  /** Whether there may be more. */
  readonly isFull: boolean
}

/** The store could not do its work: full disk, lost connection, corrupt file. */
export class StoreFault extends Error {
  readonly reason: 'unavailable' | 'read_only' | 'full' | 'corrupt' | 'in_use' | 'too_new'
  readonly where: string
  readonly next: string

  constructor(
    reason: StoreFault['reason'],
    message: string,
    more: { where: string; next: string; cause?: unknown },
  ) {
    super(message, { cause: more.cause })
    this.name = 'StoreFault'
    this.reason = reason
    this.where = more.where
    this.next = more.next
  }
}
