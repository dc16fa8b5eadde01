import { limits } from '../base/limits.ts'

/** Lines of a text. A final newline ends a line, it does not begin another. */
export function countLines(text: string): number {
  return splitLines(text).length
}

/**
 * The larger of the lines added and the lines removed by a shortest line diff (WF-9). Where that
 * would take too long, everything between the first and the last difference counts.
 */
export function editedLines(oldText: string, newText: string): number {
  if (oldText === newText) return 0
  const before = splitLines(oldText)
  const after = splitLines(newText)
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (
    end < shorter - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++
  }
  const removed = before.length - start - end
  const added = after.length - start - end
  if (removed === 0 || added === 0) return Math.max(removed, added)
  const kept = commonLines(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  )
  return Math.max(removed, added) - kept
}

/** A lone carriage return ends a line as well: some languages run what follows it. */
function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.includes('\r') ? text.split(/\n|\r(?!\n)/) : text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** How many lines both texts keep in order, or 0 when finding out would take too long. */
function commonLines(before: readonly string[], after: readonly string[]): number {
  const ids = new Map<string, number>()
  for (const line of after) if (!ids.has(line)) ids.set(line, ids.size)
  // A line that only one side has can never be kept. Without these the rest is usually short.
  const left: number[] = []
  for (const line of before) {
    const id = ids.get(line)
    if (id !== undefined) left.push(id)
  }
  const inBefore = new Set(left)
  const right: number[] = []
  for (const line of after) {
    const id = ids.get(line)
    if (id !== undefined && inBefore.has(id)) right.push(id)
  }
  const distance = editDistance(left, right)
  return distance === undefined ? 0 : (left.length + right.length - distance) / 2
}

/**
 * Myers' greedy search for the number of insertions and deletions between two sequences, without
 * the path. Undefined when the bound on steps is reached.
 */
function editDistance(left: readonly number[], right: readonly number[]): number | undefined {
  const max = left.length + right.length
  // Every distance d costs at least d steps, so this is as far as the bound can lead.
  const reach = Math.min(max, Math.ceil(Math.sqrt(2 * limits.diffSteps)))
  const furthest = new Int32Array(2 * reach + 3)
  let steps = limits.diffSteps + 2 * max
  for (let distance = 0; distance <= reach; distance++) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const at = reach + 1 + diagonal
      const below = furthest[at - 1] ?? 0
      const above = furthest[at + 1] ?? 0
      const down = diagonal === -distance || (diagonal !== distance && below < above)
      let x = down ? above : below + 1
      let y = x - diagonal
      while (x < left.length && y < right.length && left[x] === right[y]) {
        x++
        y++
        steps--
      }
      furthest[at] = x
      steps--
      if (x >= left.length && y >= right.length) return distance
    }
    if (steps < 0) return undefined
  }
  return undefined
}
