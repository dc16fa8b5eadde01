import { stripVTControlCharacters } from 'node:util'
import { redacted, redactText } from '../../base/redact.ts'
import type { Timers } from './timers.ts'

export interface OutputPiece {
  readonly runId: string
  /** How many characters of the run come before the text. */
  readonly at: number
  readonly text: string
}

/** A burst is told at once, and nobody reads faster than this. */
const gatherMs = 200
/** Readers that are a little behind its end still get the last of it. */
const lingerMs = 2000
const tailLength = 8 * 1024

/**
 * What the commands of a session print while they run, for whoever looks on. It is kept in memory
 * and only its end: how much a command prints costs neither the store nor a slow reader anything.
 */
export class LiveOutputs {
  readonly #timers: Timers
  readonly #onNews: () => void
  readonly #runs = new Map<string, CommandOutput>()
  #isGathering = false

  constructor(timers: Timers, onNews: () => void) {
    this.#timers = timers
    this.#onNews = onNews
  }

  /** Takes what a run prints, until it has ended. */
  async during<Value>(
    runId: string,
    work: (onOutput: (chunk: Buffer) => void) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await work(this.#open(runId))
    } finally {
      // Before its result is told: anyone who reads on has all of it by then.
      this.#runs.get(runId)?.end()
      this.#timers.set(() => this.#runs.delete(runId), lingerMs)
    }
  }

  #open(runId: string): (chunk: Buffer) => void {
    const printed = new CommandOutput()
    this.#runs.set(runId, printed)
    return (chunk) => {
      printed.add(chunk)
      if (this.#isGathering) return
      this.#isGathering = true
      this.#timers.set(() => {
        this.#isGathering = false
        for (const one of this.#runs.values()) one.takeLines()
        this.#onNews()
      }, gatherMs)
    }
  }

  /** What a reader has not read, who is told how far they are by then. */
  since(seen: Map<string, number>): readonly OutputPiece[] {
    return [...this.#runs].flatMap(([runId, { total, tail, hasEnded }]) => {
      // Of a run that has ended they get the rest, if they have read of it; else its result.
      if (hasEnded && !seen.has(runId)) return []
      const left = total - (seen.get(runId) ?? 0)
      if (left <= 0) return []
      seen.set(runId, total)
      const text = tail.slice(-Math.min(left, tail.length))
      return [{ runId, at: total - text.length, text }]
    })
  }
}

const longestLine = 4 * 1024
const keyBegins = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/
const keyEnds = /-----END /

/**
 * One command's output. Only whole lines are let out: a secret that came in two pieces would not be
 * known as one. What is longer than a line has any business to be is left out.
 */
class CommandOutput {
  /** The end of what was let out, and how much that was in all. */
  tail = ''
  total = 0
  hasEnded = false
  readonly #decoder = new TextDecoder()
  /** Whole lines that are not let out yet, no more than can be shown. */
  #lines: string[] = []
  #length = 0
  /** The last line, while it is not whole. */
  #open = ''
  #isTooLong = false
  #isInKey = false
  /** A name may stand on one line and its secret on the next. */
  #before: readonly string[] = []

  add(chunk: Buffer): void {
    const text = this.#open + this.#decoder.decode(chunk, { stream: true })
    const lines = text.split(/\r?\n|\r/)
    this.#open = lines.pop() ?? ''
    if (this.#isTooLong && lines.length > 0) {
      lines[0] = '[a long line was left out]'
      this.#isTooLong = false
    }
    for (const line of lines) this.#keep(line)
    if (this.#open.length > longestLine) this.#isTooLong = true
    if (this.#isTooLong) this.#open = ''
  }

  takeLines(): void {
    const lines = this.#lines.flatMap((line) => this.#shown(line))
    this.#lines = []
    this.#length = 0
    if (lines.length === 0) return
    const covered = redactText([...this.#before, ...lines].join('\n')).split('\n')
    const text = `${covered.slice(-lines.length).join('\n')}\n`
    this.#before = lines.slice(-2)
    this.total += text.length
    const kept = (this.tail + text).slice(-tailLength)
    this.tail = kept.length < tailLength ? kept : kept.slice(kept.indexOf('\n') + 1)
  }

  end(): void {
    this.hasEnded = true
    if (this.#open !== '' || this.#isTooLong) this.add(Buffer.from('\n'))
    this.takeLines()
  }

  #keep(line: string): void {
    this.#lines.push(line)
    this.#length += line.length + 1
    while (this.#length > 2 * tailLength) {
      const length = (this.#lines.shift() ?? '').length + 1
      this.#length -= length
      this.total += length
    }
  }

  /** The line as people may see it: nothing of a key, and nothing that steers a terminal. */
  #shown(line: string): readonly string[] {
    const isFirst = keyBegins.test(line)
    const isInKey = this.#isInKey || isFirst
    this.#isInKey = isInKey && !keyEnds.test(line)
    if (isInKey) return isFirst ? [redacted] : []
    return [stripVTControlCharacters(line)]
  }
}
