import { Worker } from 'node:worker_threads'
import { type MatchedLine, type MatchStart, matchingLines } from './match-worker.ts'

/** Finds lines in texts, one text after the other. */
export interface Matcher {
  /** Null when it was closed before an answer came. */
  match(text: string, max: number): Promise<readonly MatchedLine[] | null>
  close(): void
}

/** Plain words take time in proportion to the text and need no thread. */
export function wordsMatcher(test: (line: string) => boolean): Matcher {
  return { match: async (text, max) => matchingLines(text, max, test), close: () => {} }
}

export function regexMatcher(start: MatchStart): Matcher {
  const worker = new Worker(new URL('./match-worker.ts', import.meta.url), {
    workerData: start,
    // It sees texts, not our secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  let waiting: ((found: readonly MatchedLine[] | null) => void) | undefined
  let isClosed = false
  const answer = (found: readonly MatchedLine[] | null) => {
    const resolve = waiting
    waiting = undefined
    resolve?.(found)
  }
  const close = () => {
    isClosed = true
    answer(null)
    void worker.terminate()
  }
  worker.on('message', (found: MatchedLine[]) => answer(found))
  worker.on('error', close)
  worker.on('exit', close)
  return {
    match: (text, max) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(null)
        waiting = resolve
        worker.postMessage({ text, max })
      }),
    close,
  }
}
