import { limits } from '../base/limits.ts'
import { sessionTimeouts } from './retry.ts'
import { type StreamEvent, streamGapCode } from './stream-event.ts'

/** How far a stream was read, and what waits for a piece that has not come yet (SE-13). */
export interface StreamOrder {
  readonly next: number
  readonly waiting: readonly StreamEvent[]
  /** When the hole was first seen. */
  readonly gapSince: number | null
  readonly hasEnded: boolean
}

export const newStreamOrder: StreamOrder = {
  next: 1,
  waiting: [],
  gapSince: null,
  hasEnded: false,
}

export interface Ordered {
  readonly order: StreamOrder
  /** Pieces whose turn it is, in the order of their numbers. */
  readonly released: readonly StreamEvent[]
}

/** Takes a piece as it comes; a repeated one, or one after the end, is dropped. */
export function takeStreamEvent(order: StreamOrder, event: StreamEvent, now: number): Ordered {
  const isKnown = order.waiting.some(({ seq }) => seq === event.seq)
  if (order.hasEnded || event.seq < order.next || isKnown) return { order, released: [] }
  const waiting = [...order.waiting, event].sort((left, right) => left.seq - right.seq)
  const taken = release({ ...order, waiting }, [], now)
  // A peer that never fills its hole must not fill our memory instead.
  if (taken.order.waiting.length <= limits.waitingStreamEvents) return taken
  const skipped = skipGap(taken.order, now)
  return { order: skipped.order, released: [...taken.released, ...skipped.released] }
}

/** When the patience with a hole ends; never without one. */
export function gapWake({ gapSince }: StreamOrder): number | null {
  return gapSince === null ? null : gapSince + sessionTimeouts.streamGapMs
}

/** Gives up on what is missing, once its time is over: an error is told and the stream goes on. */
export function closeStreamGap(order: StreamOrder, now: number): Ordered {
  const wake = gapWake(order)
  return wake === null || wake > now ? { order, released: [] } : skipGap(order, now)
}

function skipGap(order: StreamOrder, now: number): Ordered {
  const [first] = order.waiting
  if (first === undefined) return { order: { ...order, gapSince: null }, released: [] }
  const missing = first.seq - order.next
  const gap: StreamEvent = {
    ...first,
    // The number of the last missing piece is free, so the numbers still grow.
    seq: first.seq - 1,
    eventId: `${first.eventId}_gap`,
    timestampMs: now,
    type: 'error',
    payload: {
      code: streamGapCode,
      message: `${missing} ${missing === 1 ? 'piece' : 'pieces'} of the stream never arrived.`,
    },
  }
  return release({ ...order, next: first.seq, gapSince: null }, [gap], now)
}

function release(order: StreamOrder, before: readonly StreamEvent[], now: number): Ordered {
  const released = [...before]
  let { next } = order
  let hasEnded = false
  let at = 0
  for (; at < order.waiting.length && !hasEnded; at++) {
    const event = order.waiting[at]
    if (event === undefined || event.seq !== next) break
    released.push(event)
    next += 1
    hasEnded = event.type === 'completed'
  }
  const waiting = hasEnded ? [] : order.waiting.slice(at)
  const moved = next !== order.next
  const since = moved ? now : (order.gapSince ?? now)
  return {
    order: { next, waiting, gapSince: waiting.length === 0 ? null : since, hasEnded },
    released,
  }
}
