import type { RuntimeParts } from '../../runtime/parts.ts'
import type { ApprovalRow } from '../../store/store.ts'

/** Wakes calls that wait for a person, when the server sees the verdict committed. */
export class VerdictBell {
  readonly #waiting = new Map<string, Set<() => void>>()

  ring(approvalId: string): void {
    for (const wake of this.#waiting.get(approvalId) ?? []) wake()
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Resolves when the bell rings or the time is over; never rejects. */
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

export interface WaitOptions {
  readonly approvalId: string
  readonly mostMs: number
  readonly signal: AbortSignal
  /** Told again and again while the person has not answered, with the seconds that have passed. */
  readonly onStillWaiting: (seconds: number) => void
}

export type Verdict = Exclude<ApprovalRow['status'], 'waiting'> | 'too_long' | 'cancelled'

/** How often the client hears that the call still waits; many give up after a silent minute. */
const noticeEveryMs = 5000
/** Calls that wait at one server; each holds a connection open. */
const mostWaiting = 500

/**
 * Holds a call until its question is answered (PO-7). The store is asked as well as the bell: the
 * verdict may have been given to another node.
 */
export async function waitForVerdict(
  { store, clock }: Pick<RuntimeParts, 'store' | 'clock'>,
  bell: VerdictBell,
  { approvalId, mostMs, signal, onStillWaiting }: WaitOptions,
): Promise<Verdict> {
  const since = clock.now()
  if (bell.size >= mostWaiting) return 'too_long'
  for (;;) {
    const row = await store.approvals.get(approvalId)
    if (row === undefined) return 'withdrawn'
    if (row.status !== 'waiting') return row.status
    if (signal.aborted) return 'cancelled'
    const left = since + mostMs - clock.now()
    if (left <= 0) return 'too_long'
    onStillWaiting(Math.round((clock.now() - since) / 1000))
    await bell.next(approvalId, Math.min(left, noticeEveryMs), signal)
  }
}
