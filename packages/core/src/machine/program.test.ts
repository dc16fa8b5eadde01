import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { definitionHash } from '../definition/hash.ts'
import { type DefinitionSource, program } from '../reduce/play.test-kit.ts'
import type { Machine } from './machine.ts'
import { shortestWay, waysOn } from './way.ts'

const calls = (id: string, invoke: string, extra: JsonObject = {}): JsonObject => ({
  id,
  initial: 'a',
  states: { a: { on: { SUB: { invoke, on_complete: 'z' } } }, z: { type: 'final' } },
  ...extra,
})
const leaf = (id: string, extra: JsonObject = {}): JsonObject => ({
  id,
  initial: 'a',
  states: { a: { type: 'final' } },
  ...extra,
})
const hash = (root: DefinitionSource, ...invokes: DefinitionSource[]) => program(root, invokes).hash

describe('a program', () => {
  test('WF-4: the hash of its definition is the one that saving it answers', () => {
    const { rootHash } = program(calls('r', 'l'), [leaf('l')])
    expect(rootHash).toBe(definitionHash(calls('r', 'l')))
    expect(program(calls('r', 'l'), [leaf('l', { context: { x: 1 } })]).rootHash).toBe(rootHash)
  })

  test('WF-4: the hash covers everything that is invoked, however deep', () => {
    const root = calls('r', 'm')
    const middle = calls('m', 'l')
    const before = hash(root, middle, leaf('l'))
    expect(hash(root, middle, leaf('l'))).toBe(before)
    expect(hash(root, leaf('l'), middle)).toBe(before)
    expect(hash(root, middle, leaf('l', { context: { x: 1 } }))).not.toBe(before)
    expect(hash(calls('r', 'm', { context: { x: 1 } }), middle, leaf('l'))).not.toBe(before)
  })

  test('WF-4: it does not depend on definitions that are not invoked', () => {
    expect(hash(calls('r', 'l'), leaf('l'), leaf('other'))).toBe(hash(calls('r', 'l'), leaf('l')))
  })

  test('WF-4: the order of keys does not matter, that of interrupts does', () => {
    const interrupts = (first: string, second: string): JsonObject => ({
      ...leaf('w'),
      interrupts: {
        [first]: { trigger: { file_pattern: '*' }, target: 'a' },
        [second]: { trigger: { file_pattern: '*' }, target: 'a' },
      },
    })
    expect(hash(leaf('w', { meta: { a: 1, b: 2 } }))).toBe(
      hash(leaf('w', { meta: { b: 2, a: 1 } })),
    )
    expect(hash(interrupts('x', 'y'))).not.toBe(hash(interrupts('y', 'x')))
  })

  test('WF-4: every missing definition is named with its place', () => {
    expect(() => program(calls('r', 'gone'))).toThrow(
      '"path":["states","a","on","SUB","invoke"],"message":"No workflow or process is called',
    )
  })

  test('WF-23a: a definition that invokes itself, or a ring of them, compiles once', () => {
    const ring = program(calls('a', 'b'), [calls('b', 'c'), calls('c', 'a')])
    expect([...ring.machines.keys()]).toEqual(['a', 'b', 'c'])
    expect(ring.machines.get('a')).toBe(ring.root)
  })

  test('WF-4: what one definition may pull in is bounded', () => {
    const chain = Array.from({ length: limits.closure + 1 }, (_, index) =>
      calls(`n${index + 1}`, `n${index + 2}`),
    )
    expect(() => program(calls('n0', 'n1'), chain)).toThrow('closure_too_large')
  })
})

describe('ways through a machine', () => {
  const root: Machine = program(`
id: w
initial: a
guards: {g: {field: x, op: exists}}
states:
  a: {on: {LONG: b, END: z}}
  b: {on: {PICK: [{target: c, guard: g}, {target: a}], BACK: $return}}
  c: {allowed_tools: [Edit], on: {AGAIN: a}}
  lone: {allowed_tools: [Bash]}
  z: {type: final}
`).root
  const to = (name: string, finals = false) =>
    shortestWay(root, 'a', (state) => state.name === name, {
      from: (state) => waysOn(state, null),
      finals,
    })

  test('WF-14: the shortest way, over all that may be open', () => {
    expect(to('c')).toEqual([
      { event: 'LONG', target: 'b' },
      { event: 'PICK', target: 'c' },
    ])
  })

  test('WF-14: ending the run is no way to a tool, and the place itself is none either', () => {
    expect(to('z')).toBeUndefined()
    expect(to('z', true)).toEqual([{ event: 'END', target: 'z' }])
    expect(to('a')).toBeUndefined()
    expect(to('lone')).toBeUndefined()
  })

  test('WF-29: $return is a way only where it leads somewhere', () => {
    const state = root.states.get('b')
    if (state === undefined) throw new Error('no state b')
    expect(waysOn(state, null)).toEqual([
      { event: 'PICK', target: 'c' },
      { event: 'PICK', target: 'a' },
    ])
    expect(waysOn(state, 'lone').at(-1)).toEqual({ event: 'BACK', target: 'lone' })
  })
})
