import { describe, expect, test } from 'vitest'
import { formatUsd } from './format.ts'
import { phrase, textOf } from './phrase.ts'

describe('the words of a phrase', () => {
  test('WF-35: values stand where the text names them, lists joined as it says', () => {
    const about = { tools: ['Edit', 'Write'], state: 'planning' }
    expect(textOf(phrase('tool_not_allowed', { ...about, allowed: ['Read', 'Grep'] }))).toBe(
      'Edit and Write may not be used in planning. Allowed: Read, Grep.',
    )
    expect(textOf(phrase('tool_not_allowed', { ...about, allowed: [] }))).toBe(
      'Edit and Write may not be used in planning. Allowed: none.',
    )
  })

  test('WF-35: a phrase may speak of another one', () => {
    const usage = phrase('calls_used_until', { used: 2, until: 0 })
    const limit = { capability: 'bash', most: 2, window: 60_000, usage }
    expect(textOf(phrase('rate_exceeded', limit))).toBe(
      'The policy allows 2 calls of bash in 60 seconds; 2 used. ' +
        'Try again after 1970-01-01T00:00:00.000Z.',
    )
  })

  test('WF-35: text of others is shown as it was written', () => {
    expect(textOf('Ship {it}?')).toBe('Ship {it}?')
  })

  test('WF-35: a value is never read as a text of ours', () => {
    const tool = '{state} {allowed}'
    expect(textOf(phrase('call_asked', { tool }))).toBe('May {state} {allowed} be called?')
  })

  test('WF-35: a phrase that a newer version wrote shows its name and what it speaks of', () => {
    expect(textOf({ phrase: 'unheard_of', values: { file: 'a.ts' } })).toBe(
      'unheard_of {"file":"a.ts"}',
    )
    expect(textOf({ phrase: 'constructor' })).toBe('constructor')
  })

  test('WF-35: values that are missing or odd are shown, not thrown', () => {
    expect(textOf({ phrase: 'call_asked' })).toBe('May {tool} be called?')
    expect(textOf({ phrase: 'call_asked', values: {} })).toBe('May null be called?')
    expect(textOf({ phrase: 'call_asked', values: { tool: { a: [1] } } })).toBe(
      'May {"a":[1]} be called?',
    )
    const until = Number.MAX_SAFE_INTEGER
    expect(textOf(phrase('enforcement_gap', { until }))).toContain(`until ${until} nothing`)
  })

  test('PO-6: amounts are shown to the last digit that counts', () => {
    expect([0, 5_000_000, 4_900_000, 1, 1_234_500].map(formatUsd)).toEqual([
      '$0.00',
      '$5.00',
      '$4.90',
      '$0.000001',
      '$1.2345',
    ])
  })
})
