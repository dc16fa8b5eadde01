import { parentPort, workerData } from 'node:worker_threads'

export interface MatchStart {
  readonly source: string
  readonly flags: string
}

export interface MatchedLine {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

/** The lines of a text that pass a test, up to a number. */
export function matchingLines(
  text: string,
  max: number,
  test: (line: string) => boolean,
): MatchedLine[] {
  const found: MatchedLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (found.length >= max) break
    if (test(line)) found.push({ line: index + 1, text: line })
  }
  return found
}

// A pattern of an agent may take for ever. On a thread of its own it holds up nobody and can be
// ended. It loads nothing else, so that starting it costs little.
if (parentPort !== null && workerData !== null) {
  const port = parentPort
  // Only `regexMatcher` starts this thread, with this shape.
  const { source, flags } = workerData as MatchStart
  const expression = new RegExp(source, flags)
  port.on('message', ({ text, max }: { text: string; max: number }) =>
    port.postMessage(matchingLines(text, max, (line) => expression.test(line))),
  )
}
