import type { TranscriptEvent } from './transcript.ts'

/** Several files of one session as one stream, by time; each holds one event of its own ahead. */
export async function* mergeByTime(
  streams: readonly AsyncIterable<TranscriptEvent>[],
): AsyncGenerator<TranscriptEvent> {
  const [only] = streams
  if (streams.length === 1 && only !== undefined) {
    yield* only
    return
  }
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]())
  const ahead = await Promise.all(iterators.map((one) => one.next()))
  try {
    for (;;) {
      let first = -1
      for (const [index, { done, value }] of ahead.entries()) {
        if (done === true) continue
        if (first < 0 || timeOf(value) < timeOf(ahead[first]?.value)) first = index
      }
      const next = ahead[first]
      const iterator = iterators[first]
      if (next === undefined || iterator === undefined || next.done === true) return
      yield next.value
      ahead[first] = await iterator.next()
    }
  } finally {
    // Anyone who stops early leaves no file open.
    await Promise.all(iterators.map((one) => one.return?.()))
  }
}

/** What has no time of its own is told at once. */
function timeOf(event: TranscriptEvent | undefined): number {
  return event === undefined || event.kind === 'unreadable' ? 0 : event.at
}
