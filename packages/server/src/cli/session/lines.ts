import { createInterface, type Interface } from 'node:readline'
import { hasTerminal } from '../ask.ts'

/** What is said to a session, line by line. */
export interface Lines {
  next(prompt: string): Promise<string | undefined>
  /** The last line that somebody typed at the terminal, where it stands already. */
  typed(): string | undefined
  /** Shows once more that a line is waited for: the session rests again. */
  remind(): void
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
    remind: () => {},
    close: () => {},
  }
}

/** What became of a line: it is for the agent, it was obeyed, or the session goes on by it. */
export type LineResult = 'no' | 'yes' | 'goes on'

/**
 * Lines of standard input, one whenever one is wanted; the end of it is no line. At a terminal a
 * line that begins with `/` is offered to `command` at once, and so is every other one to `atOnce`:
 * people speak while the session works.
 */
export function lineReader(
  command: (line: string) => Promise<LineResult>,
  atOnce: (line: string) => boolean,
): Lines {
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
  const finish = () => {
    isOver = true
    wake?.()
  }
  const obey = async (line: string) => {
    // A PIN may be asked for, which nobody else may read along or show.
    const shown = prompted
    isAside = true
    lines.close()
    const obeyed = await command(line).catch((): LineResult => 'yes')
    isAside = false
    // The end may have come meanwhile, and comes only once.
    if (process.stdin.readableEnded) return finish()
    lines = open()
    if (obeyed === 'no') push(line)
    else if (obeyed === 'yes' && shown !== '' && prompted !== '') process.stderr.write(shown)
  }
  const open = () =>
    openReader({
      line: (line) => {
        if (isTerminal && line.startsWith('/')) void obey(line)
        else if (!isTerminal || !atOnce(line)) push(line)
      },
      close: () => (isAside ? undefined : finish()),
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
    remind: () => void process.stderr.write(prompted),
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
