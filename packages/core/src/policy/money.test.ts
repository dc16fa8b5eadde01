import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limitMicros, toMicros } from './money.ts'

describe('money', () => {
  test.each([
    [0, 0, 0],
    [-5, 0, 0],
    [1.1, 1_100_000, 1_100_000],
    [0.29, 290_000, 290_000],
    [5, 5_000_000, 5_000_000],
    [0.000001, 1, 1],
    [1e-7, 1, 0],
    [1.5e-6, 2, 1],
    [4.35, 4_350_000, 4_350_000],
    [0.1 + 0.2, 300_001, 300_000],
    [123456.789012, 123_456_789_012, 123_456_789_012],
    [1e9, 1e15, 1e15],
    [1e21, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.NaN, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('PO-6: %d dollars are %d micro-dollars as a cost and %d as a limit', (usd, cost, limit) => {
    expect({ cost: toMicros(usd), limit: limitMicros(usd) }).toEqual({ cost, limit })
  })

  test('PO-6: every amount with up to six decimals is exact', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.nat(999_999), (whole, fraction) => {
        const usd = Number(`${whole}.${String(fraction).padStart(6, '0')}`)
        const micros = whole * 1_000_000 + fraction
        expect([toMicros(usd), limitMicros(usd)]).toEqual([micros, micros])
      }),
    )
  })
})
