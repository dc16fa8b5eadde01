import { usesColour } from '../output/report.ts'
import type { Progress } from './play-transcripts.ts'

const everyMs = 250

/** A line on a terminal that is written over and over; nothing where no such signs are wanted. */
export function openProgress(stream: NodeJS.WriteStream): {
  show(progress: Progress): void
  close(): void
} {
  // What is done at once needs no line.
  let last = Date.now()
  let isShown = false
  return {
    show({ sessions, of, calls }) {
      const now = Date.now()
      if (now - last < everyMs || !usesColour(stream)) return
      last = now
      isShown = true
      const counts = `session ${sessions.toLocaleString('en')} of ${of.toLocaleString('en')}`
      stream.write(`\r\u001b[2KReplaying: ${counts}, ${calls.toLocaleString('en')} calls`)
    },
    close() {
      if (isShown) stream.write('\r\u001b[2K')
    },
  }
}
