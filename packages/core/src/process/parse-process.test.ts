import { describe, expect, test } from 'vitest'
import { parseProcess } from './parse-process.ts'

const sound = {
  name: 'deploy-gate',
  initial: 'check',
  states: {
    check: { question: 'Ready?', answers: { yes: { next: 'done' }, no: { next: null } } },
    done: { question: 'Done.' },
  },
}

const codesOf = (input: unknown) =>
  parseProcess(input).findings.map(({ code, path }) => `${code} ${path.join('.')}`)

describe('parsing a process', () => {
  test('PR-1: a sound one parses, with what the system assigns', () => {
    const stored = { ...sound, id: 'proc_1', createdAt: '2026-01-01', updatedAt: '2026-01-01' }
    expect(parseProcess(stored)).toEqual({ definition: stored, findings: [] })
  })

  test.each([
    ['capitals in the name', { ...sound, name: 'Deploy' }, 'wrong_value name'],
    ['a doubled hyphen', { ...sound, name: 'a--b' }, 'wrong_value name'],
    ['a hyphen at the end', { ...sound, name: 'a-' }, 'wrong_value name'],
    ['no name', { ...sound, name: undefined }, 'missing_field name'],
    ['a typo', { ...sound, intial_prompt: 'x' }, 'unknown_field intial_prompt'],
    [
      'an unknown action',
      {
        ...sound,
        states: { check: { question: 'q', answers: { a: { next: null, action: 'stop' } } } },
      },
      'wrong_value states.check.answers.a.action',
    ],
    [
      'an answer without next',
      { ...sound, states: { check: { question: 'q', answers: { a: { action: 'block' } } } } },
      'missing_field states.check.answers.a.next',
    ],
    [
      'an answer that trimming would change',
      { ...sound, states: { check: { question: 'q', answers: { 'yes ': { next: null } } } } },
      'reserved_name states.check.answers.yes ',
    ],
    [
      'an answer made of digits',
      { ...sound, states: { check: { question: 'q', answers: { '1': { next: null } } } } },
      'reserved_name states.check.answers.1',
    ],
    ['a negative budget', { ...sound, session_budget_usd: -1 }, 'wrong_value session_budget_usd'],
  ])('PR-1: %s', (_, definition, finding) => {
    expect(codesOf(definition)).toEqual([finding])
  })

  test('PR-1: answers keep their order', () => {
    const answers = { zeta: { next: null }, alpha: { next: null }, mid: { next: null } }
    const { definition } = parseProcess({ ...sound, states: { check: { question: 'q', answers } } })
    expect(Object.keys(definition?.states.check?.answers ?? {})).toEqual(['zeta', 'alpha', 'mid'])
  })
})
