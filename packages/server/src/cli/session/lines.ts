import { createInterface, type Interface } from 'node:readline'
import { hasTerminal } from '../ask.ts'

/** What is said to a session, line by line. */
export interface Lines {
  next(prompt: string): Promise<string | undefined>
  /** The last line that somebody typed at the terminal, where it stands already. */
  typed(): string | undefined
  close(): void
}

/** One thing to say, and no more. */
export function wordsOf(words: string): Lines {
  let isPrinted = false
  return {
    async next() {
      if (isPrinted) return undefined
      isPrinted = true
      return words
    },
    typed: () => undefined,
    close: () => {},
  }
}

/**
 * Lines of standard input, one whenever one is wanted; the end of it is no line. At a terminal a
 * line that begins with `/` is offered to `command` at once, also while the session works.
 */
export function lineReader(command: (line: string) => Promise<boolean>): Lines {
  const isTerminal = hasTerminal()
  const waiting: string[] = []
  let isOver = false
  let isAside = false
  let prompted = ''
  let typed: string | undefined
  let wake: (() => void) | undefined
  const push = (line: string) => {
    waiting.push(line)
    wake?.()
  }
  const obey = async (line: string) => {
    // A PIN may be asked for, which nobody else may read along or show.
    const shown = prompted
    isAside = true
    lines.close()
    const isTaken = await command(line).catch(() => true)
    isAside = false
    // The end may have come meanwhile, and comes only once.
    if (process.stdin.readableEnded) {
      isOver = true
      wake?.()
      return
    }
    lines = open()
    if (!isTaken) push(line)
    else if (shown !== '' && prompted !== '') process.stderr.write(shown)
  }
  const open = () =>
    openReader({
      line: (line) => (isTerminal && line.startsWith('/') ? void obey(line) : push(line)),
      close: () => {
        if (isAside) return
        isOver = true
        wake?.()
      },
    })
  let lines = open()
  return {
    async next(prompt) {
      if (prompt !== '') process.stderr.write(prompt)
      prompted = prompt
      while (waiting.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      prompted = ''
      typed = waiting.shift()
      return typed
    },
    typed: () => (isTerminal ? typed : undefined),
    close: () => lines.close(),
  }
}

function openReader(on: {
  readonly line: (line: string) => void
  readonly close: () => void
}): Interface {
  const reader = createInterface({
    input: process.stdin,
    ...(hasTerminal() ? { output: process.stderr } : {}),
  })
  reader.on('line', on.line)
  reader.on('close', on.close)
  // With a terminal of its own the reader would swallow Ctrl-C.
  reader.on('SIGINT', () => process.emit('SIGINT'))
  return reader
}
