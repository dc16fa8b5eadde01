import { setTimeout as sleep } from 'node:timers/promises'
import type { DrainLimits, Listening } from '../http/listen.ts'

/** It says that it is not ready for so long: enough for a proxy that looks every second (ND-4). */
const noticeMs = 1500
const limits: DrainLimits = { looksMs: 3000, callsMs: 20_000 }

/**
 * Stops taking calls, where other nodes go on without cutting one off. Gives back when nobody new
 * can come, with a function that waits until all that had come is answered.
 */
export async function drain(
  listening: Listening,
  { sharesStore }: { readonly sharesStore?: boolean },
): Promise<() => Promise<void>> {
  if (sharesStore === true) {
    listening.drain()
    await sleep(noticeMs)
  }
  const closed = sharesStore === true ? listening.close(limits) : listening.close()
  return () => closed
}

interface Closable {
  close(): Promise<void> | void
}

export async function closeAll(...all: readonly (Closable | undefined)[]): Promise<void> {
  for (const one of all) await one?.close()
}
