import { describe, expect, test } from 'vitest'
import { checkDefinition, parseDefinition } from './check-definition.ts'

const end = { question: 'Done.' }
const process = (states: object, rest: object = {}) => ({
  name: 'gate',
  initial: 'a',
  states,
  ...rest,
})

const check = (definition: object) =>
  checkDefinition(definition).findings.map(
    ({ severity, code, path }) => `${severity} ${code} ${path.join('.')}`,
  )

const ask = (answers: object) => ({ question: 'q', answers })

describe('a process', () => {
  test.each([
    ['a sound one', process({ a: ask({ yes: { next: 'b' }, no: { next: null } }), b: end }), []],
    ['a terminal initial state', process({ a: end }), []],
    [
      'an unknown initial state',
      { ...process({ b: end }), initial: 'a' },
      ['error unknown_initial initial'],
    ],
    [
      'an unknown next',
      process({ a: ask({ yes: { next: 'c' } }) }),
      ['error unknown_target states.a.answers.yes.next'],
    ],
    [
      'an unreachable state',
      process({ a: ask({ yes: { next: null } }), b: end }),
      ['warning unreachable_state states.b'],
    ],
    [
      'a state behind an answer that ends the run',
      process({ a: ask({ no: { next: 'b', action: 'block' } }), b: end }),
      ['warning unreachable_state states.b'],
    ],
    [
      'a gate on nothing',
      process({ a: end }, { gate: ['bash', 'mcp::x'] }),
      ['error invalid_capability gate.1'],
    ],
    [
      'a policy rule that is never looked at',
      process(
        { a: end },
        { policy: { deny: [{ capability: '*' }], allow: [{ capability: 'bash' }] } },
      ),
      ['warning rule_never_reached policy.allow.0.capability'],
    ],
  ])('PR-1, PR-3: %s', (_, definition, findings) => {
    expect(check(definition)).toEqual(findings)
  })
})

describe('the kind of a definition', () => {
  test.each([
    [
      'a workflow by its id',
      { id: 'x', initial: 'a', states: { a: { type: 'final' } } },
      'workflow',
    ],
    ['a process by its name', { name: 'x', initial: 'a', states: {} }, 'process'],
    [
      'a stored process, which has both',
      { id: 'proc_1', name: 'x', states: { a: end } },
      'process',
    ],
    [
      'a workflow with a name by mistake',
      { id: 'x', name: 'x', states: { a: { on: {} } } },
      'workflow',
    ],
    ['nothing', {}, 'workflow'],
  ])('PR-1: %s', (_, definition, kind) => {
    expect(parseDefinition(definition).kind).toBe(kind)
  })

  test('PR-1: the caller may say which kind it must be', () => {
    const workflow = { id: 'x', initial: 'a', states: { a: { type: 'final' } } }
    expect(parseDefinition(workflow, { kind: 'process' }).findings[0]?.code).toBeDefined()
    expect(parseDefinition(workflow).findings).toEqual([])
  })

  test('PR-3, PR-7: states that never end, and answers that are not offered, are told', () => {
    const states = {
      a: { question: 'Go?', answers: { yes: { next: 'b' }, no: { next: null } } },
      b: { question: 'Again?', answers: { yes: { next: 'b' } } },
    }
    const { findings } = checkDefinition({
      name: 'x',
      initial: 'a',
      states,
      allowed_tools: ['memory_*'],
      policy: { deny: [{ capability: 'bassh' }, { capability: 'my-own-tool' }] },
    })
    expect(findings.map(({ code, path }) => `${code} ${path.join('.')}`).toSorted()).toEqual([
      'answers_not_offered allowed_tools',
      'capability_near_miss policy.deny.0.capability',
      'no_way_to_final states.b',
    ])
  })

  test('WF-3: a definition with errors is not handed on, one with warnings is', () => {
    const states = { a: { on: { GO: 'y' } }, z: { type: 'final' } }
    expect(checkDefinition({ id: 'x', initial: 'a', states }).definition).toBeUndefined()
    const warned = { a: { on: { GO: 'z' } }, b: { on: { GO: 'z' } }, z: { type: 'final' } }
    expect(checkDefinition({ id: 'x', initial: 'a', states: warned }).definition).toBeDefined()
  })
})
