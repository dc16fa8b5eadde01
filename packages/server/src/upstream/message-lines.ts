import type { Buffer } from 'node:buffer'
import { upstreamLimits } from './spec.ts'

/** Why a server's stream is not read any further. */
export class FloodError extends Error {}

/**
 * Cuts a stream into lines without ever holding more than one message: a server that never ends
 * its line, or that sends without end, is cut off instead of filling our memory.
 */
export class MessageLines {
  readonly #onLine: (line: string) => void
  readonly #now: () => number
  readonly #max: number
  #chunks: Buffer[] = []
  #bytes = 0
  #countedAt = 0
  #unpaid = 0

  constructor(
    onLine: (line: string) => void,
    now: () => number,
    max: number = upstreamLimits.messageBytes,
  ) {
    this.#onLine = onLine
    this.#now = now
    this.#max = max
  }

  /** Throws a FloodError when the server is to be cut off. */
  take(chunk: Buffer): void {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(10, from)
      if (end < 0) break
      this.#keep(chunk.subarray(from, end))
      this.#flush()
      from = end + 1
    }
    this.#keep(chunk.subarray(from))
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#bytes += part.length
    if (this.#bytes > this.#max) throw new FloodError('a message is too large')
    this.#chunks.push(part)
  }

  #flush(): void {
    const whole = joined(this.#chunks)
    this.#chunks = []
    this.#bytes = 0
    if (whole.trim() === '') return
    this.#count()
    this.#onLine(whole)
  }

  /** Time pays for messages, at a pace that holds however slowly a busy machine reads them. */
  #count(): void {
    const now = this.#now()
    const paid = ((now - this.#countedAt) / 1000) * upstreamLimits.messagesPerSecond
    this.#countedAt = now
    this.#unpaid = Math.max(0, this.#unpaid - paid) + 1
    if (this.#unpaid > upstreamLimits.messagesInARow) throw new FloodError('too many messages')
  }
}

/** A character may lie across two parts, so that the bytes are joined before they are read. */
function joined(chunks: readonly Buffer[]): string {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only.toString('utf8')
  const decoder = new TextDecoder()
  return chunks.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
}
