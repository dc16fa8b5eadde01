import type { Progress } from './play-transcripts.ts'

const everyMs = 100

/** A line on a terminal that is written over and over, and nothing anywhere else. */
export function openProgress(stream: NodeJS.WriteStream): {
  show(progress: Progress): void
  close(): void
} {
  let last = 0
  let isShown = false
  return {
    show({ sessions, of, calls }) {
      const now = Date.now()
      if (stream.isTTY !== true || now - last < everyMs) return
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
