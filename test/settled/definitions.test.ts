import {
  checkDefinition,
  compileProgram,
  definitionHash,
  type Finding,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { play } from '../../packages/core/src/reduce/play.test-kit.ts'

/** Answers to questions that the main rules leave open, about what an author writes. */

const small = {
  id: 'small',
  initial: 'a',
  states: { a: { on: { GO: 'b' } }, b: { type: 'final' } },
}

function errors(definition: unknown): string[] {
  return codes(definition, 'error')
}

function codes(definition: unknown, severity: Finding['severity']): string[] {
  const { findings } = checkDefinition(definition)
  return findings.filter((one) => one.severity === severity).map((one) => one.code)
}

describe('reading', () => {
  test('WF-1a: on, yes and no are text in YAML, also as keys and values', () => {
    const text = `
id: small
initial: "no"
context: { answer: yes, flag: on, off: no }
states:
  no: { on: { yes: on } }
  on: { type: final }
`
    const checked = checkDefinition(text)
    expect(checked.findings).toEqual([])
    expect(checked.definition).toMatchObject({
      context: { answer: 'yes', flag: 'on', off: 'no' },
      states: { no: { on: { yes: 'on' } }, on: { type: 'final' } },
    })
  })

  test.each(['__proto__', 'constructor', 'prototype', '42', '007'])(
    'WF-2a: %s is refused as the name of a state, event, guard and branch',
    (name) => {
      // Written as text: an object literal would set the prototype and lose the key.
      const key = JSON.stringify(name)
      const texts = [
        `{"id":"w","initial":"a","states":{"a":{"on":{"GO":"b"}},"b":{"type":"final"},${key}:{}}}`,
        `{"id":"w","initial":"a","states":{"a":{"on":{"GO":"b",${key}:"b"}},"b":{"type":"final"}}}`,
        `{"id":"w","initial":"a","states":{"a":{"on":{"GO":"b"}},"b":{"type":"final"}},
          "guards":{${key}:{"field":"x","op":"exists"}}}`,
        `{"id":"w","initial":"a","states":{"a":{"on":{"GO":{"fork":{"branches":
          {${key}:{"initial":"c","terminal":"b"}},"on_complete":"b"}}}},
          "b":{"type":"final"},"c":{"on":{"X":"b"}}}}`,
      ]
      for (const text of texts) expect(errors(text)).toContain('reserved_name')
    },
  )

  test('WF-2a: a state called $return and events that name a branch are refused', () => {
    expect(errors({ ...small, states: { ...small.states, $return: {} } })).toContain(
      'reserved_name',
    )
    for (const event of ['BRANCH_DONE:x', 'BRANCH_FAIL:x', 'BRANCH_DONE:']) {
      const states = { ...small.states, a: { on: { [event]: 'b' } } }
      expect(errors({ ...small, states })).toContain('reserved_name')
    }
  })

  test('WF-2b: known meta fields are typed, a near miss is a warning, the rest is free', () => {
    const meta = (fields: object) => ({ ...small, meta: fields })
    expect(errors(meta({ debug: 'yes' }))).toEqual(['wrong_type'])
    expect(errors(meta({ danger_level: 'high' }))).toEqual(['wrong_value'])
    expect(codes(meta({ lockd: true }), 'warning')).toEqual(['meta_near_miss'])
    expect(errors(meta({ lockd: true, owner: { team: 'x' } }))).toEqual([])
    expect(checkDefinition(meta({ owner: { team: 'x' } })).findings).toEqual([])
  })
})

describe('the content hash', () => {
  const hash = (definition: object) => {
    const checked = checkDefinition(definition)
    if (checked.kind !== 'workflow' || checked.definition === undefined) throw new Error('invalid')
    const program = compileProgram({ kind: 'workflow', definition: checked.definition })
    if (!program.ok) throw new Error('incomplete')
    return program.value.hash
  }
  const a = { on: { GO: 'b' } }
  const b = { type: 'final' }
  const glob = (file_pattern: string) => ({ trigger: { file_pattern }, target: 'a' })
  const withReturn = (interrupts: object) => ({ ...small, interrupts })

  test('WF-4b: the order of fields and of states does not matter', () => {
    const turned = { states: { b, a }, initial: 'a', id: 'small' }
    expect(hash(turned)).toBe(hash({ ...small, states: { a, b } }))
  })

  test('WF-4b: the order of interrupts matters, since the first match fires', () => {
    const [one, two] = [glob('a/**'), glob('**')]
    expect(hash(withReturn({ one, two }))).not.toBe(hash(withReturn({ two, one })))
    expect(hash(withReturn({ one, two }))).toBe(hash(withReturn({ one, two })))
  })

  test('WF-4b: the order of branches, candidates and answers matters', () => {
    const fork = (branches: object) => ({
      ...small,
      states: { a: { on: { GO: { fork: { branches, on_complete: 'b' } } } }, b },
    })
    const [x, y] = [
      { initial: 'a', terminal: 'b' },
      { initial: 'b', terminal: 'b' },
    ]
    expect(definitionHash(fork({ x, y }))).not.toBe(definitionHash(fork({ y, x })))
    const list = (candidates: object[]) => ({
      ...small,
      states: { a: { on: { GO: candidates } }, b },
    })
    const [first, second] = [{ target: 'b', guard: 'g' }, { target: 'b' }]
    expect(definitionHash(list([first, second]))).not.toBe(definitionHash(list([second, first])))
    const asks = (answers: object) => ({ name: 'p', initial: 'q', states: { q: { answers } } })
    const [yes, no] = [{ next: null }, { next: null }]
    expect(definitionHash(asks({ yes, no }))).not.toBe(definitionHash(asks({ no, yes })))
  })
})

describe('fields of ours', () => {
  test('WF-4a: the nearest approval_timeout_ms counts', () => {
    const run = (on: object, state: object = {}) => {
      const played = play({
        id: 'w',
        initial: 'a',
        meta: { approval_mode: 'ui' },
        states: { a: { ...state, on: { GO: on } }, b: { type: 'final' } },
      } as never)
      expect(played.at(5000).send('GO')).toBe('pending')
      return played.run.main.approval?.expiresAt
    }
    const request = { target: 'b', requires_approval: true }
    expect(run(request)).toBeNull()
    expect(run(request, { approval_timeout_ms: 100 })).toBe(5100)
    expect(run({ ...request, approval_timeout_ms: 7 }, { approval_timeout_ms: 100 })).toBe(5007)
    expect(run([{ ...request, approval_timeout_ms: 9 }], { approval_timeout_ms: 100 })).toBe(5009)
  })

  test('WF-4a: without them nothing of theirs is there', () => {
    const played = play(small)
    expect(played.bash('sleep 1 &')).toBe('allow')
    expect(played.run.asks).toEqual([])
    expect(played.program.root.policy).toBeNull()
    expect(played.program.root.evidence.size).toBe(0)
  })
})
