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
  /** Removes up to `seq`, of these calls also what was kept of them; false where none was left. */
  removeEntries(part: {
    readonly runId: string
    readonly upTo: number
    readonly callIds: readonly string[]
  }): Promise<boolean>
  /** The last of it: approvals that were answered, and the note that more is to be removed. */
  finish(archived: Pick<ArchivedRun, 'runId' | 'archivedAt'>): Promise<void>
  /** Those of which not everything is removed yet, after a crash for one. */
  unfinished(limit: number): Promise<readonly ArchivedRun[]>
  get(runId: string): Promise<ArchivedRun | undefined>
  list(page: {
    readonly after?: string | undefined
    readonly limit: number
  }): Promise<readonly ArchivedRun[]>
  total(): Promise<number>
  /** What is kept of calls and who answered, in whole. */
  blobs(runId: string, callIds: readonly string[]): Promise<readonly Blob[]>
  approvals(runId: string): Promise<readonly ApprovalRow[]>
}
