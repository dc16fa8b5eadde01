import { type Entry, type Program, type RunSnapshot, reduceRun, startRun } from '@statewright/core'

/** A history played again: after each entry, where the run stood. */
export interface Fold {
  readonly program: Program
  readonly entries: readonly Entry[]
  /** By the index of the entry. Entries of one step share what the step led to. */
  readonly snapshots: readonly RunSnapshot[]
  /** Set when the history does not play; entries from here on have no snapshot. */
  readonly brokenAt: number | null
}

export function emptyFold(program: Program): Fold {
  return { program, entries: [], snapshots: [], brokenAt: null }
}

/** Plays the entries that were added since; what was played before is not played again. */
export function extendFold(fold: Fold, entries: readonly Entry[]): Fold {
  if (entries.length <= fold.entries.length || fold.brokenAt !== null) return fold
  const snapshots = [...fold.snapshots]
  for (let index = snapshots.length; index < entries.length; index++) {
    const next = snapshotAfter(fold.program, snapshots[index - 1], entries[index])
    if (next === undefined) return { ...fold, entries, snapshots, brokenAt: index }
    snapshots.push(next)
  }
  return { ...fold, entries, snapshots }
}

function snapshotAfter(
  program: Program,
  before: RunSnapshot | undefined,
  entry: Entry | undefined,
): RunSnapshot | undefined {
  const cause = entry?.cause
  // A later entry of the same step: the whole step was taken with its first one.
  if (cause === undefined) return before
  try {
    if (cause.type === 'started') return startRun(program, cause).run
    return before === undefined ? undefined : reduceRun(program, before, cause).run
  } catch {
    // A file from outside may hold events that nothing could have caused.
    return undefined
  }
}
