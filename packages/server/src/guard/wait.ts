import type { Runtime } from '../runtime/runtime.ts'
import type { ApprovalRow } from '../store/store.ts'

/** Calls that wait for a person, each by the approval that holds it. */
export class ApprovalWaiters {
  readonly #waiting = new Map<string, Set<() => void>>()
  #calls = 0
  #isClosed = false

  /** An approval was answered, and that is durable. */
  wake(approvalId: string): void {
    for (const wake of this.#waiting.get(approvalId) ?? []) wake()
  }

  /** How many calls wait, also where several wait for one answer. */
  get size(): number {
    return this.#calls
  }

  /** The server stops: each call that waits is told what it would be told when it is too late. */
  close(): void {
    this.#isClosed = true
    for (const wakes of this.#waiting.values()) for (const wake of wakes) wake()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** A call begins to wait; call the answer when it waits no longer. */
  enter(): () => void {
    this.#calls += 1
    return () => {
      this.#calls -= 1
    }
  }

  /** Resolves when the approval is answered or the time is over; never rejects. */
  async next(approvalId: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const wakes = this.#waiting.get(approvalId) ?? new Set()
      this.#waiting.set(approvalId, wakes)
      const timer = setTimeout(done, timeoutMs)
      wakes.add(done)
      signal.addEventListener('abort', done, { once: true })
      const waiting = this.#waiting
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        wakes.delete(done)
        if (wakes.size === 0) waiting.delete(approvalId)
        resolve()
      }
    })
  }
}

/** How a call waits: until when, and who is told meanwhile. */
export interface WaitOptions {
  readonly signal: AbortSignal
  /** Told again and again while the person has not answered, with the seconds that have passed. */
  readonly onStillWaiting?: (seconds: number, approvalId: string) => void
}

export interface WaitLimits {
  readonly maxMs: number
  readonly maxWaiting?: number | undefined
}

export type WaitEnd =
  | { readonly kind: 'answered'; readonly row: ApprovalRow }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'cancelled' }

/** How often the client hears that the call still waits; many give up after a silent minute. */
const noticeEveryMs = 5000
/** Another node may have taken the answer, and tells nobody here. */
const lookEveryMs = 2000

/**
 * Holds a call until its question is answered (PO-7). The store is asked as well as the waiters:
 * the verdict may have been given to another node.
 */
export async function waitForVerdict(
  runtime: Pick<Runtime, 'store' | 'clock'>,
  waiters: ApprovalWaiters,
  approvalId: string,
  { maxMs, maxWaiting = Number.POSITIVE_INFINITY }: WaitLimits,
  waiting: WaitOptions,
): Promise<WaitEnd> {
  if (waiters.size >= maxWaiting) return { kind: 'too_long' }
  const leave = waiters.enter()
  try {
    return await untilAnswered(runtime, waiters, approvalId, maxMs, waiting)
  } finally {
    leave()
  }
}

async function untilAnswered(
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  waiters: ApprovalWaiters,
  approvalId: string,
  maxMs: number,
  { signal, onStillWaiting }: WaitOptions,
): Promise<WaitEnd> {
  const since = clock.now()
  let reportedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const row = await store.approvals.get(approvalId)
    if (row === undefined) return { kind: 'withdrawn' }
    if (row.status !== 'waiting') return { kind: 'answered', row }
    if (signal.aborted) return { kind: 'cancelled' }
    const now = clock.now()
    const left = since + maxMs - now
    if (left <= 0 || waiters.isClosed) return { kind: 'too_long' }
    if (now - reportedAt >= noticeEveryMs) {
      onStillWaiting?.(Math.round((now - since) / 1000), approvalId)
      reportedAt = now
    }
    await waiters.next(approvalId, Math.min(left, lookEveryMs), signal)
  }
}
