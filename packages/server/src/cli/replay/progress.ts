import { usesColour } from '../output/report.ts'

const everyMs = 250

/** A line on a terminal that is written over and over; nothing where no such signs are wanted. */
export function openProgress(stream: NodeJS.WriteStream): {
  show(what: string, done: number, of: number, more?: string): void
  close(): void
} {
  // What is done at once needs no line.
  let last = Date.now()
  let isShown = false
  return {
    show(what, done, of, more = '') {
      const now = Date.now()
      if (now - last < everyMs || !usesColour(stream)) return
      last = now
      isShown = true
      const counts = `${what} ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`
      stream.write(`\r\u001b[2KReplaying: ${counts}${more}`)
    },
    close() {
      if (isShown) stream.write('\r\u001b[2K')
    },
  }
}
