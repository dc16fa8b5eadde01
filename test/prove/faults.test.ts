import { describe, expect, test } from 'vitest'
import { lengthOf, longestMs } from '../../packages/server/testing/length.ts'
import { look, seeded } from './seeded.ts'

const count = lengthOf({ sample: 7, long: seeded.length })
// Spread over all definitions and kinds of faults.
const chosen = seeded.filter((_, index) => (index * count) % seeded.length < count)

describe('a fault seeded into a definition', { timeout: longestMs }, () => {
  test('there are enough of every kind', () => {
    const kinds = Map.groupBy(seeded, ({ fault }) => fault.kind)
    const sizes = [...kinds].map(([kind, some]) => [kind, some.length > 40])
    expect(Object.fromEntries(sizes)).toEqual({
      'approval bypassed': true,
      'dropped guard': true,
      'edge too many': true,
      'fork that cannot join': true,
      'hidden interrupt': true,
      trap: true,
    })
    expect(seeded.filter(({ isTemplate }) => isTemplate).length).toBeGreaterThanOrEqual(500)
  })

  test('PV-6, PV-9: is found, and shown to happen', () => {
    const seen = chosen.map(look)
    expect(seen.filter(({ isFound }) => !isFound)).toEqual([])
    expect(seen.filter(({ held }) => !held)).toEqual([])
    expect(seen.filter(({ isPlayed }) => !isPlayed)).toEqual([])
    expect(seen.length).toBeGreaterThanOrEqual(lengthOf({ sample: 6, long: 500 }))
  })
})
