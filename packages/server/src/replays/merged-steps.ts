import type { RunStore } from '../store/store.ts'
import type { ChosenRun } from './chosen-runs.ts'
import { type NumberedStep, RunCursor } from './run-cursor.ts'

/** Entries that are held at a time, over all runs that are open at once. */
const maxBuffered = 20_000
const [largestPage, smallestPage] = [500, 8]

/**
 * The steps of all runs in the order of time, so that rates are counted as they would have been.
 * A run is opened when its time comes and closed at its end: few are open at a time.
 */
export async function* mergedSteps(
  runs: readonly ChosenRun[],
  store: Pick<RunStore, 'entryBodies'>,
): AsyncGenerator<{ readonly run: ChosenRun } & NumberedStep & { readonly isLast: boolean }> {
  const heap: RunCursor[] = []
  const pageSize = () =>
    Math.max(smallestPage, Math.min(largestPage, Math.floor(maxBuffered / (heap.length + 1))))
  let opened = 0
  for (;;) {
    for (;;) {
      const run = runs[opened]
      const first = heap[0]
      if (run === undefined || (first !== undefined && timeOf(first) < run.createdAt)) break
      opened += 1
      const cursor = new RunCursor(run, store, pageSize)
      await cursor.advance()
      if (cursor.next !== undefined) push(heap, cursor)
    }
    const cursor = heap[0]
    const next = cursor?.next
    if (cursor === undefined || next === undefined) return
    await cursor.advance()
    const isLast = cursor.next === undefined
    if (isLast) removeFirst(heap)
    else sink(heap)
    yield { run: cursor.run, ...next, isLast }
  }
}

function timeOf({ next }: RunCursor): number {
  return next?.step[0].at ?? 0
}

function push(heap: RunCursor[], cursor: RunCursor): void {
  heap.push(cursor)
  let at = heap.length - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!swapIfLater(heap, parent, at)) return
    at = parent
  }
}

function removeFirst(heap: RunCursor[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  heap[0] = last
  sink(heap)
}

function sink(heap: RunCursor[]): void {
  let at = 0
  for (;;) {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    const [one, other] = [heap[left], heap[right]]
    if (one === undefined) return
    const child = other !== undefined && timeOf(other) < timeOf(one) ? right : left
    if (!swapIfLater(heap, at, child)) return
    at = child
  }
}

/** Of equal times the run that was opened first stays first. */
function swapIfLater(heap: RunCursor[], upper: number, lower: number): boolean {
  const [one, other] = [heap[upper], heap[lower]]
  if (one === undefined || other === undefined || timeOf(one) <= timeOf(other)) return false
  heap[upper] = other
  heap[lower] = one
  return true
}
