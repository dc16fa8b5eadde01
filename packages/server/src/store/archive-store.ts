import type { RunSnapshot } from '@statewright/core/internal'
import type { ApprovalRow, Blob, RunRow } from './run-row.ts'

/** Where the history of a run lies that is no longer in the store. */
export interface ArchivedRun {
  readonly runId: string
  /** Entries up to this one are in the archive; later ones, if any, are in the store. */
  readonly seq: number
  /** The hash of that entry, by which the archive is held. */
  readonly chain: string
  readonly archivedAt: number
  /** The node on whose disk the file lies. */
  readonly node: string
  readonly file: string
}

/** A run that ended, as the archive takes it. */
export interface EndedRun {
  readonly row: RunRow
  /** Where the next page of them begins. */
  readonly cursor: EndedCursor
}

export interface EndedCursor {
  readonly updatedAt: number
  readonly runId: string
}

/** An input or output, as the entries name it. */
export type CallValue = Pick<Blob, 'callId' | 'hash'>

export interface ArchivedPart {
  readonly runId: string
  readonly upTo: number
  readonly values: readonly CallValue[]
  readonly approvals: readonly string[]
}

export interface ArchiveStore {
  /**
   * Runs that ended before a time and have entries outside of the archive, in the order in which
   * they ended. The run with the newest entry of all is never among them: the feed goes on from it.
   */
  ended(page: {
    readonly before: number
    readonly after?: EndedCursor | undefined
    readonly limit: number
  }): Promise<readonly EndedRun[]>
  count(before: number): Promise<number>
  /**
   * The file is on the disk: from now on the history up to `seq` is that of the archive. False
   * where the run has gone on since, or another node has archived it.
   */
  mark(archived: ArchivedRun, snapshot: RunSnapshot): Promise<boolean>
  /**
   * Removes entries up to `upTo` and what is named with them, where it is still what the archive
   * has: an output that came since, or an approval, belongs to what is archived next. What was
   * spent stays known by the hour. Only of a run that is marked.
   */
  removeEntries(part: ArchivedPart): Promise<void>
  /** Nothing more is to be removed. */
  finish(runId: string): Promise<void>
  /** Those of which not everything is removed yet, after a crash for one. */
  unfinished(limit: number): Promise<readonly ArchivedRun[]>
  get(runId: string): Promise<ArchivedRun | undefined>
  list(page: {
    readonly after?: string | undefined
    readonly limit: number
  }): Promise<readonly ArchivedRun[]>
  total(): Promise<number>
  /** What is kept of calls and who answered, in whole. */
  blobs(runId: string, values: readonly CallValue[]): Promise<readonly Blob[]>
  approvals(runId: string): Promise<readonly ApprovalRow[]>
}
