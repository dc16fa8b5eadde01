import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { streamEvent } from './agent.test-kit.ts'
import { StreamEvent } from './stream-event.ts'
import {
  closeStreamGap,
  gapWake,
  newStreamOrder,
  type StreamOrder,
  takeStreamEvent,
} from './stream-order.ts'

const piece = (seq: number, type: StreamEvent['type'] = 'text_delta') =>
  streamEvent({ seq, type, eventId: `evt_${seq}` })

function takeAll(pieces: readonly StreamEvent[], now = 0) {
  let order: StreamOrder = newStreamOrder
  const released: number[] = []
  for (const one of pieces) {
    const taken = takeStreamEvent(order, one, now)
    order = taken.order
    released.push(...taken.released.map(({ seq }) => seq))
  }
  return { order, released }
}

describe('the order of a stream', () => {
  test('SE-13: pieces come out in the order of their numbers, each once', () => {
    const { released, order } = takeAll([3, 1, 1, 2, 5, 4, 2].map((seq) => piece(seq)))
    expect(released).toEqual([1, 2, 3, 4, 5])
    expect(order).toMatchObject({ next: 6, waiting: [], gapSince: null })
  })

  test('SE-13: after 5 s a hole is told as stream_gap, and the stream goes on', () => {
    const { order, released } = takeAll(
      [1, 4, 5].map((seq) => piece(seq)),
      1000,
    )
    expect(released).toEqual([1])
    expect(gapWake(order)).toBe(6000)
    expect(closeStreamGap(order, 5999).released).toEqual([])
    const closed = closeStreamGap(order, 6000)
    expect(closed.released.map(({ seq, type }) => [seq, type])).toEqual([
      [3, 'error'],
      [4, 'text_delta'],
      [5, 'text_delta'],
    ])
    expect(closed.released[0]?.payload).toEqual({
      code: 'stream_gap',
      message: '2 pieces of the stream never arrived.',
    })
    expect(gapWake(closed.order)).toBeNull()
    expect(takeStreamEvent(closed.order, piece(2), 6000).released).toEqual([])
    expect(takeStreamEvent(closed.order, piece(6), 6000).released).toHaveLength(1)
  })

  test('SE-13: a second hole has its own 5 s', () => {
    const { order } = takeAll(
      [1, 3, 6].map((seq) => piece(seq)),
      1000,
    )
    const first = closeStreamGap(order, 6000)
    expect(first.released.map(({ seq }) => seq)).toEqual([2, 3])
    expect(gapWake(first.order)).toBe(11_000)
    expect(closeStreamGap(first.order, 11_000).released.map(({ seq }) => seq)).toEqual([5, 6])
  })

  test('SE-13: completed is the end, whatever comes after it', () => {
    const { released, order } = takeAll([piece(3), piece(1), piece(2, 'completed'), piece(4)])
    expect(released).toEqual([1, 2])
    expect(order).toMatchObject({ hasEnded: true, waiting: [] })
  })

  test('SE-13: a peer that never fills its hole does not fill our memory', () => {
    const many = Array.from({ length: limits.waitingStreamEvents + 1 }, (_, at) => piece(at + 2))
    const { order, released } = takeAll(many)
    expect(released).toHaveLength(limits.waitingStreamEvents + 2)
    expect(order.waiting).toEqual([])
  })

  test('SE-13: the envelope is that of version 1.0 and takes fields of the future', () => {
    expect(StreamEvent.safeParse(piece(1)).success).toBe(true)
    expect(StreamEvent.safeParse({ ...piece(1), later: true }).success).toBe(true)
    expect(StreamEvent.safeParse({ ...piece(1), schemaVersion: '2.0' }).success).toBe(false)
    expect(StreamEvent.safeParse({ ...piece(1), type: 'other' }).success).toBe(false)
    expect(StreamEvent.safeParse({ ...piece(1), seq: 0 }).success).toBe(false)
  })
})
