import { describe, expect, test } from 'vitest'
import { parseWorkflow } from './parse-workflow.ts'

const sound = {
  id: 'x',
  initial: 'a',
  states: { a: { on: { GO: 'b' } }, b: { type: 'final' } },
}

function codesOf(input: unknown): string[] {
  return parseWorkflow(input).findings.map(({ code, path }) => `${code} ${path.join('.')}`)
}

const withState = (state: object) => ({ ...sound, states: { ...sound.states, a: state } })
const withTransition = (transition: unknown) => withState({ on: { GO: transition } })

describe('names', () => {
  const fork = (name: string) => ({
    fork: { branches: { [name]: { initial: 'a', terminal: 'b' } }, on_complete: 'b' },
  })
  const positions: [string, (name: string) => object, string][] = [
    ['state', (name) => ({ ...sound, states: { ...sound.states, [name]: {} } }), 'states'],
    ['event', (name) => withState({ on: { [name]: 'b' } }), 'states.a.on'],
    ['guard', (name) => ({ ...sound, guards: { [name]: { field: 'f', op: 'exists' } } }), 'guards'],
    ['branch', (name) => withTransition(fork(name)), 'states.a.on.GO.fork.branches'],
    [
      'interrupt',
      (name) => ({
        ...sound,
        interrupts: { [name]: { trigger: { file_pattern: '*' }, target: 'a' } },
      }),
      'interrupts',
    ],
    ['evidence', (name) => ({ ...sound, evidence: { [name]: { tool: 'Bash' } } }), 'evidence'],
  ]
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    '7',
    '',
    'a\u200Bb',
    'a\nb',
    'x'.repeat(201),
  ]
  const cases = positions.flatMap(([kind, build, path]) =>
    names.map((name) => ({ kind, name, build, path })),
  )

  test.each(cases)('WF-2a: no $kind is called $name', ({ name, build, path }) => {
    // An own member called __proto__ only comes from a text.
    const text = JSON.stringify(build('NAME')).replaceAll('"NAME"', JSON.stringify(name))
    expect(codesOf(text)).toEqual([`reserved_name ${path}.${name}`])
  })

  test.each([
    ['$return', (name: string) => ({ ...sound, states: { ...sound.states, [name]: {} } })],
    ['BRANCH_DONE', (name: string) => withState({ on: { [name]: 'b' } })],
    ['BRANCH_DONE:lint', (name: string) => withState({ on: { [name]: 'b' } })],
    ['BRANCH_FAIL:lint', (name: string) => withState({ on: { [name]: 'b' } })],
  ])('WF-2a: %s is reserved', (name, build) => {
    expect(codesOf(build(name)).map((one) => one.split(' ')[0])).toEqual(['reserved_name'])
  })

  test('WF-2a: names that only look reserved are free', () => {
    expect(codesOf(withState({ on: { BRANCH_DONELY: 'b', branch_done: 'b' } }))).toEqual([])
  })

  test('WF-2a: __proto__ is refused in open places as well', () => {
    const text =
      '{"id":"x","initial":"a","states":{"a":{"type":"final","env":{"__proto__":"1"}}},' +
      '"context":{"__proto__":1,"k":{"__proto__":2}},"meta":{"__proto__":3}}'
    expect(codesOf(text)).toEqual([
      'reserved_name states.a.env.__proto__',
      'reserved_name context.__proto__',
      'reserved_name context.k.__proto__',
      'reserved_name meta.__proto__',
    ])
    expect(codesOf({ ...sound, guards: { g: { field: 'a.__proto__', op: 'exists' } } })).toEqual([
      'reserved_name guards.g.field',
    ])
  })
})
