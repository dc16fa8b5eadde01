import type { Entry } from '@statewright/core/internal'
import { gistOf } from '../../model/words/entry-words.ts'

/** An entry with its index in the whole history. */
interface IndexedEntry<E> {
  readonly entry: E
  readonly index: number
}

/** A line of the history: one entry, or calls that repeat. */
export interface HistoryLine<E> {
  readonly entry: E
  /** Indexes of the first and the last entry that it stands for. */
  readonly first: number
  readonly last: number
  readonly times: number
  /** The command or file by which people tell calls apart. */
  readonly gist: string
  /** How long the call took. */
  readonly tookMs: number | null
  /** How long nothing happened before it, where that is worth saying. */
  readonly gapMs: number | null
}

/** Fewer than these are shown one by one. */
const leastRepeats = 3
/** A shorter pause is no news. */
const leastGapMs = 60_000

/** The lines of a history. The same call with the same outcome, again and again, is one line. */
export function historyLines<E extends Entry>(
  shown: readonly IndexedEntry<E>[],
): readonly HistoryLine<E>[] {
  const asked = new Map<string, E>()
  const lines: HistoryLine<E>[] = []
  let lastAt: number | null = null
  for (let at = 0; at < shown.length; ) {
    const group = repeats(shown, at)
    const here = shown.slice(at, at + (group.times >= leastRepeats ? group.length : 1))
    const [first] = here
    const last = here.at(-1)
    if (first === undefined || last === undefined) break
    const { entry } = first
    if (entry.type === 'call_decided') asked.set(entry.call_id, entry)
    const before = entry.type === 'call_finished' ? asked.get(entry.call_id) : undefined
    const gap = lastAt === null ? 0 : entry.at - lastAt
    lines.push({
      entry,
      first: first.index,
      last: last.index,
      times: group.times >= leastRepeats ? group.times : 1,
      gist: gistOf(before ?? entry),
      tookMs: before === undefined ? null : Math.max(0, entry.at - before.at),
      gapMs: gap >= leastGapMs ? gap : null,
    })
    lastAt = last.entry.at
    at += here.length
  }
  return lines
}

/** How many calls like the one at hand follow each other, and over how many entries. */
function repeats<E extends Entry>(
  shown: readonly IndexedEntry<E>[],
  start: number,
): { readonly times: number; readonly length: number } {
  const first = unitAt(shown, start)
  let times = 0
  let at = start
  for (let unit = first; unit !== null && unit.key === first?.key; unit = unitAt(shown, at)) {
    times += 1
    at += unit.length
  }
  return { times, length: at - start }
}

/** A call with its end, where that follows at once. */
function unitAt<E extends Entry>(
  shown: readonly IndexedEntry<E>[],
  at: number,
): { readonly key: string; readonly length: number } | null {
  const entry: Entry | undefined = shown[at]?.entry
  if (entry?.type !== 'call_decided' || entry.cause?.type !== 'tool_requested') return null
  const next: Entry | undefined = shown[at + 1]?.entry
  const end = next?.type === 'call_finished' && next.call_id === entry.call_id ? next : undefined
  const { tool, state, decision, would, code, branch } = entry
  // By the hash: what is told in a line may be the same where the calls are not.
  const { argsHash } = entry.cause.call
  const key = [tool, argsHash, state, decision, would, code, branch, end?.exit]
  return { key: JSON.stringify(key), length: end === undefined ? 1 : 2 }
}
