import type { Entry } from '@statewright/core/internal'
import { type EntryKind, entryWords } from './entry-words.ts'

/** The entries of some kinds, each with its index in the whole history. */
export function entriesOfKinds<E extends Entry>(
  entries: readonly E[],
  kinds: readonly EntryKind[],
): readonly { readonly entry: E; readonly index: number }[] {
  const all = entries.map((entry, index) => ({ entry, index }))
  if (kinds.length === 0) return all
  return all.filter(({ entry }) => kinds.includes(entryWords(entry).kind))
}
