import {
  type Entry,
  type Program,
  playStep,
  type RecordedStep,
  type RunSnapshot,
} from '@statewright/core/internal'

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
    const before = snapshots[index - 1]
    const step = stepAt(entries, index)
    // A later entry of the same step: the whole step was taken with its first one.
    const next = step === null ? before : playStep(fold.program, before ?? null, step)?.run
    if (next === undefined) return { ...fold, entries, snapshots, brokenAt: index }
    snapshots.push(next)
  }
  return { ...fold, entries, snapshots }
}

/** The step that begins at an entry; null when none does. */
function stepAt(entries: readonly Entry[], index: number): RecordedStep | null {
  const first = entries[index]
  if (first?.cause === undefined) return null
  let end = index + 1
  while (end < entries.length && entries[end]?.cause === undefined) end += 1
  return [first, ...entries.slice(index + 1, end)]
}

/**
 * Where the run stood at an entry. What comes before a move of the same step, such as the call that
 * an interrupt follows, was still in the state before it.
 */
export function snapshotAt({ entries, snapshots }: Fold, index: number): RunSnapshot | undefined {
  let start = index
  while (start > 0 && entries[start]?.cause === undefined) start -= 1
  let end = index + 1
  while (end < entries.length && entries[end]?.cause === undefined) end += 1
  const isBefore =
    !entries.slice(start, index + 1).some(isMove) && entries.slice(index + 1, end).some(isMove)
  return (isBefore ? snapshots[start - 1] : undefined) ?? snapshots[index]
}

const moves: ReadonlySet<Entry['type']> = new Set([
  'run_started',
  'transitioned',
  'interrupted',
  'returned',
  'forced',
  'answered',
  'forked',
  'joined',
  'invoked',
  'invoke_ended',
])

function isMove({ type }: Entry): boolean {
  return moves.has(type)
}
