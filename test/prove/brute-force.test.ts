import { describe, expect, test } from 'vitest'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import { compare } from './comparison.ts'

const worlds = lengthOf({ sample: 24, long: 10_000 })
const firstSeed = seedOf(20_261_116)

describe('the search against brute force', { timeout: longestMs }, () => {
  test('PV-2, PV-3, PV-4: both say the same of random claims on random definitions', () => {
    const count = { proved: 0, refuted: 0, refuted_if: 0, not_decided: 0, whole: 0 }
    for (let index = 0; index < worlds; index++) {
      const { verdict, isWhole, dispute } = compare(firstSeed + index)
      expect(dispute).toBeNull()
      count[verdict]++
      if (isWhole) count.whole++
    }
    // Claims that are all alike, or that brute force cannot settle, would say nothing.
    expect(count.proved).toBeGreaterThan(worlds / 5)
    expect(count.refuted).toBeGreaterThan(worlds / 5)
    expect(count.whole).toBeGreaterThan(worlds * 0.8)
    expect(count.not_decided).toBeLessThanOrEqual(worlds / 20)
    // Most conditions are decided by what is known; few answers hang on them.
    expect(count.refuted_if).toBeLessThanOrEqual(worlds / 20)
  })
})
