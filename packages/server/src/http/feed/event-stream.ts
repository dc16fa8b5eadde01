import { setTimeout as sleep } from 'node:timers/promises'

export interface StreamReading {
  /** The events since the last page; empty when none is for this reader, undefined for none. */
  readonly next: () => Promise<string | undefined>
  /** Calls back when there may be more, until the function that it gives is called. */
  readonly watch: (wake: () => void) => (() => void) | Promise<() => void>
  /** A burst is read at once instead of piece by piece. */
  readonly gatherMs: number
  /** Asked now and then: a revoked token's stream ends. */
  readonly stillCounts: () => Promise<boolean>
  /** Aborted when the reader has gone or the server stops. */
  readonly signal: AbortSignal
  readonly heartbeatMs?: number | undefined
}

const usualHeartbeatMs = 15_000

/**
 * Server-sent events. Nothing is read from the store before the reader has taken what came before,
 * so that a slow one costs no memory.
 */
export function eventStream(reading: StreamReading): ReadableStream<Uint8Array> {
  const { next, watch, gatherMs, signal, heartbeatMs = usualHeartbeatMs } = reading
  const encoder = new TextEncoder()
  const waker = new Waker()
  let leave = () => {}

  const nextText = async (): Promise<string | undefined> => {
    while (!signal.aborted) {
      waker.reset()
      const text = await next()
      if (text !== undefined && text !== '') return text
      if (text === '') continue
      if (await waker.rungWithin(heartbeatMs, signal)) await sleep(gatherMs)
      else if (signal.aborted || !(await reading.stillCounts())) return undefined
      else return ': still here\n\n'
    }
    return undefined
  }

  return new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode('retry: 1000\n\n'))
      leave = await watch(() => waker.ring())
    },
    async pull(controller) {
      const text = await nextText()
      if (text !== undefined) return controller.enqueue(encoder.encode(text))
      leave()
      controller.close()
    },
    cancel() {
      leave()
      waker.ring()
    },
  })
}

/** Rung by commits; remembers a ring that came while nobody was waiting. */
class Waker {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  reset(): void {
    this.#rung = false
  }

  /** True when it rang, false when the time went by or the wait was given up. */
  async rungWithin(ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#rung || signal.aborted) return this.#rung
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms)
      const wake = () => done()
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#wake = wake
      signal.addEventListener('abort', wake, { once: true })
    })
    this.#wake = undefined
    return this.#rung
  }
}
