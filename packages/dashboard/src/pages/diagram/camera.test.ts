import { describe, expect, test } from 'vitest'
import { boxAround, freeCorner, isSeen, isWhole, minZoom, viewOf } from './camera.ts'

const frame = { width: 800, height: 400, top: 48 }
const box = { x: 0, y: 0, width: 120, height: 50 }

describe('the part of a diagram that is shown', () => {
  test('is the whole, in the middle, where its text can be read', () => {
    const size = { width: 600, height: 200 }
    expect(isWhole(size, frame)).toBe(true)
    const { x, y, zoom } = viewOf(size, frame, box)
    expect(zoom).toBeCloseTo(1.2)
    expect([x, y]).toEqual([(800 - 600 * 1.2) / 2, 48 + (400 - 48 - 20 - 200 * 1.2) / 2])
  })

  test('is around the focus where it is too large, and never smaller than readable', () => {
    const size = { width: 4000, height: 3000 }
    expect(isWhole(size, frame)).toBe(false)
    const first = viewOf(size, frame, box)
    expect(first).toEqual({ x: 20, y: 48, zoom: minZoom })
    const middle = { ...box, x: 2000, y: 1500 }
    const there = viewOf(size, frame, middle)
    expect(there.zoom).toBe(minZoom)
    expect(isSeen(there, frame, middle)).toBe(true)
    expect(isSeen(there, frame, box)).toBe(false)
    // At the far end no empty margin is shown either.
    const last = viewOf(size, frame, { ...box, x: 3900, y: 2950 })
    expect(last.x).toBeCloseTo(800 - 4000 * minZoom - 20)
  })

  test('has a corner for the overview that covers no state that is looked at', () => {
    const view = { x: 0, y: 0, zoom: 1 }
    const cover = { width: 150, height: 110 }
    const right = { ...box, x: 600, y: 300 }
    const left = { ...box, x: 10, y: 300 }
    expect(freeCorner(view, frame, cover, [])).toBe('bottom-right')
    expect(freeCorner(view, frame, cover, [right])).toBe('bottom-left')
    expect(freeCorner(view, frame, cover, [right, left])).toBe('top-right')
    expect(freeCorner({ ...view, x: -200 }, frame, cover, [right])).toBe('bottom-right')
    const everywhere = { x: 0, y: 0, width: 800, height: 400 }
    expect(freeCorner(view, frame, cover, [everywhere])).toBe(undefined)
  })

  test('holds all states of a run that stands in several', () => {
    expect(boxAround([])).toBe(undefined)
    expect(boxAround([box, { ...box, x: 300, y: 100 }])).toEqual({
      x: 0,
      y: 0,
      width: 420,
      height: 150,
    })
  })
})
