import {
  checkDefinition,
  compileProgram,
  definitionIn,
  describeFor,
  type Program,
  proverOf,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import { bruteForce } from './brute-force.ts'
import {
  calls,
  type Pick,
  picker,
  randomChild,
  randomClaim,
  randomWorkflow,
} from './random-worlds.ts'

const worlds = lengthOf({ sample: 24, long: 10_000 })
const firstSeed = seedOf(20_261_116)

describe('the search against brute force', { timeout: longestMs }, () => {
  test('PV-2, PV-3, PV-4: both say the same of random claims on random definitions', () => {
    const count = { proved: 0, refuted: 0, open: 0 }
    for (let index = 0; index < worlds; index++) {
      const answer = compare(firstSeed + index)
      if (answer !== null) count[answer]++
    }
    // Claims that are all alike would prove nothing.
    expect(count.proved).toBeGreaterThan(worlds / 10)
    expect(count.refuted).toBeGreaterThan(worlds / 10)
    // A few worlds are larger than the search is willing to look at.
    expect(count.open).toBeLessThanOrEqual(worlds / 50)
  })
})

function compare(seed: number): 'proved' | 'refuted' | 'open' | null {
  const pick = picker(seed)
  const made = worldOf(pick)
  if (made === null) return null
  const { program, text } = made
  const claim = randomClaim(pick, made.definition)
  const describe = (call: Parameters<typeof describeFor>[1]) =>
    describeFor(program, call, { root: '/work' })
  const answer = proverOf(program, {
    describe,
    claims: [claim],
    calls: Object.values(calls),
  }).prove(claim)
  if (!answer.ok) throw new Error(`seed ${seed}: ${answer.error}`)
  const { verdict } = answer.value
  const brute = bruteForce(program, claim)
  const about = () =>
    `seed ${seed}: ${JSON.stringify(claim)}\n${text}\n${JSON.stringify(answer.value)}`
  if (verdict === 'not_decided') return 'open'
  if (verdict === 'proved' && !brute.holds)
    throw new Error(`proved, but it does happen. ${about()}`)
  if (verdict !== 'proved' && brute.holds && brute.isWhole) {
    throw new Error(`refuted, but it never happens. ${about()}`)
  }
  return verdict === 'proved' ? 'proved' : 'refuted'
}

function worldOf(pick: Pick) {
  const definition = randomWorkflow(pick)
  const child = randomChild(pick)
  const text = JSON.stringify(definition)
  const main = definitionIn(checkDefinition(text, { format: 'json' }))
  const other = definitionIn(checkDefinition(JSON.stringify(child), { format: 'json' }))
  if (main === undefined || other === undefined) return null
  const compiled = compileProgram(main, () => other)
  if (!compiled.ok) return null
  const program: Program = compiled.value
  return { program, definition, text: `${text}\n${JSON.stringify(child)}` }
}
