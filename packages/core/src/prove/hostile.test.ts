import { describe, expect, test } from 'vitest'
import { describeFor } from '../decide/describe-call.ts'
import { program as compiled, type DefinitionSource } from '../reduce/play.test-kit.ts'
import type { Claim } from './claim.ts'
import { proverOf } from './prove.ts'

const bounds = { situations: 300, moves: 5000 }

function prover(definition: DefinitionSource, invokes: readonly DefinitionSource[] = []) {
  const program = compiled(definition, invokes)
  return proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    bounds,
  })
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const ends = { end: { type: 'final' }, lost: { type: 'final', outcome: 'failure' } }

/** A fork of many branches, each of which goes round. */
function wide(branches: number): DefinitionSource {
  const lanes = numbers(branches).map((at) => [`b${at}`, { initial: 'w', terminal: 'ok' }])
  const fork = { branches: Object.fromEntries(lanes), on_complete: 'end' }
  return {
    id: 'wide',
    initial: 'a',
    states: {
      a: { on: { GO: { fork } } },
      w: { on: { ROUND: 'v', DONE: 'ok' } },
      v: { on: { ROUND: 'w' } },
      ok: { type: 'final' },
      ...ends,
    },
  }
}

/** Every state leads to every other, with data that guards on many fields tell apart. */
function tangle(states: number, fields: number): DefinitionSource {
  const names = numbers(states).map((at) => `s${at}`)
  const guards = numbers(fields).map((at) => [`g${at}`, { field: `f${at}`, op: 'eq', value: at }])
  const on = Object.fromEntries(
    names.map((name, at) => [`E${at}`, { target: name, guards: guards.map(([guard]) => guard) }]),
  )
  return {
    id: 'tangle',
    initial: 's0',
    guards: Object.fromEntries(guards),
    states: {
      ...Object.fromEntries(names.map((name) => [name, { on: { ...on, OUT: name } }])),
      ...ends,
    },
  }
}

/** Definitions that invoke one another in a ring. */
const ring = (id: string, next: string): DefinitionSource => ({
  id,
  initial: 'a',
  states: {
    a: { on: { DOWN: { invoke: next, on_complete: 'end', on_fail: 'lost' }, OUT: 'end' } },
    ...ends,
  },
})

describe('a definition that cannot be looked at whole', () => {
  const never: Claim = { never: { enter: 'lost' } }
  const reach: Claim = { can_always_reach: [] }

  test.each([
    ['a fork of thirty branches', wide(30)],
    ['forty states that lead to one another', tangle(40, 2)],
    ['guards on thirty fields', tangle(3, 30)],
  ] as const)('PV-8: %s is not decided, and soon', (_, definition) => {
    const asked = prover(definition)
    for (const claim of [never, reach]) {
      expect(asked.prove(claim)).toMatchObject({ ok: true, value: { verdict: 'not_decided' } })
    }
  })

  test('PV-8, PV-9: after a search that was cut off, what was not seen is not decided', () => {
    const answers = prover(wide(30)).standing()
    const words = Object.fromEntries(answers.map(({ claim, answer }) => [claim, answer.verdict]))
    expect(words).toEqual({
      ...{ states: 'not_decided', end: 'not_decided', guards: 'not_decided' },
      ...{ forks: 'not_decided', approvals: 'not_decided' },
      // Patterns are compared without a search.
      interrupts: 'proved',
    })
  })

  test('PV-8: definitions that invoke one another in a ring have an answer', () => {
    const asked = prover(ring('one', 'two'), [ring('two', 'one')])
    expect(asked.prove(never)).toMatchObject({ ok: true })
    expect(asked.standing()).toHaveLength(6)
  })
})
