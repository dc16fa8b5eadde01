import { setTimeout as sleep } from 'node:timers/promises'
import type { DrainLimits, Listening } from '../http/listen.ts'

export interface Draining {
  /** For so long it still answers, says that it is not ready, and asks clients to close. */
  readonly noticeMs: number
  readonly limits: DrainLimits
}

/** Where other nodes go on: long enough for a proxy that looks every second (ND-4). */
export const amongNodes: Draining = {
  noticeMs: 1500,
  limits: { looksMs: 3000, callsMs: 20_000 },
}

/**
 * Stops taking calls without cutting one off. Gives back when nobody new can come, with a function
 * that waits until all that had come is answered.
 */
export async function drain(
  listening: Listening,
  draining: Draining | undefined,
): Promise<() => Promise<void>> {
  if (draining !== undefined) {
    listening.drain()
    await sleep(draining.noticeMs)
  }
  const closed = listening.close(draining?.limits)
  return () => closed
}
