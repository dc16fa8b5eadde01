import { describe, expect, test } from 'vitest'
import type { Json } from '../base/json.ts'
import type { FieldGuard } from '../definition/workflow-schema.ts'
import { fieldValue, passes } from './guards.ts'
import { isoInstant } from './ordering.ts'

/** rule, what the context holds, operator, value, whether it passes */
const table: [string, Json, FieldGuard['op'], Json, boolean][] = [
  ['WF-18', 'pass', 'eq', 'pass', true],
  ['WF-18', 'pass', 'eq', 'PASS', false],
  ['WF-18', null, 'eq', null, true],
  ['WF-18', { a: [1, { b: 2 }], c: 3 }, 'eq', { c: 3, a: [1, { b: 2 }] }, true],
  ['WF-18', { a: [1, 2] }, 'eq', { a: [2, 1] }, false],
  ['WF-18', { a: 1 }, 'eq', { a: 1, b: null }, false],
  ['WF-18', [], 'eq', {}, false],
  ['WF-18', 1, 'eq', '1', false],
  ['WF-18', 0, 'eq', false, false],
  ['WF-18', null, 'neq', 'fail', true],
  ['WF-18', 'fail', 'neq', 'fail', false],
  ['WF-18', 81, 'gt', 80, true],
  ['WF-18', 80, 'gt', 80, false],
  ['WF-18', 80, 'gte', 80, true],
  ['WF-18', 4, 'lt', 5, true],
  ['WF-18', 0, 'lte', 0, true],
  ['WF-18', '81', 'gt', 80, false],
  ['WF-18', 81, 'gt', '80', false],
  ['WF-18', '9', 'gt', '10', false],
  ['WF-18', 'b', 'gt', 'a', false],
  ['WF-18', null, 'gte', 0, false],
  ['WF-18', null, 'lte', 0, false],
  ['WF-18', true, 'gt', false, false],
  ['WF-18', [1], 'gte', [1], false],
  ['WF-18a', '2026-01-02', 'gt', '2026-01-01', true],
  ['WF-18a', '2026-01-01T00:00:00Z', 'gte', '2026-01-01', true],
  ['WF-18a', '2026-01-01T01:00:00+02:00', 'lt', '2026-01-01', true],
  ['WF-18a', '2026-01-01T00:00', 'lte', '2026-01-01T00:00:00.000Z', true],
  ['WF-18a', '2026-1-2', 'gt', '2026-01-01', false],
  ['WF-18a', '2026-02-30', 'gt', '2026-01-01', false],
  ['WF-18a', 'tomorrow', 'gt', '2026-01-01', false],
  ['WF-18a', '2026-01-02', 'gt', 0, false],
  ['WF-18', 'prod', 'in', ['staging', 'prod'], true],
  ['WF-18', 'dev', 'in', ['staging', 'prod'], false],
  ['WF-18', { a: 1 }, 'in', [{ a: 1 }], true],
  ['WF-18', null, 'in', [null], false],
  ['WF-18', 'a', 'in', 'abc', false],
  ['WF-18', ['x', 'approved'], 'contains', 'approved', true],
  ['WF-18', [{ a: 1 }], 'contains', { a: 1 }, true],
  ['WF-18', 'all approved', 'contains', 'approved', true],
  ['WF-18', 'all 1', 'contains', 1, false],
  ['WF-18', { approved: 1 }, 'contains', 'approved', false],
  ['WF-18', null, 'contains', null, false],
  ['WF-18', 0, 'exists', null, true],
  ['WF-18', '', 'exists', null, true],
  ['WF-18', false, 'exists', null, true],
  ['WF-18', null, 'exists', null, false],
  ['WF-18', null, 'not_exists', null, true],
  ['WF-18', 0, 'not_exists', null, false],
]

describe('guard operators', () => {
  test.each(table)('%s: %j %s %j gives %s', (_rule, saw, op, value, expected) => {
    expect(passes({ field: 'f', op, value } as FieldGuard, saw)).toBe(expected) // Value is JSON.
  })

  test('WF-18: a comparison without a value compares with null', () => {
    expect(passes({ field: 'f', op: 'eq' }, null)).toBe(true)
    expect(passes({ field: 'f', op: 'gt' }, 1)).toBe(false)
  })
})

describe('the field of a guard', () => {
  const context = { 'a.b': 1, a: { b: 2, c: { d: 3 }, list: [{ x: 1 }] }, empty: null }
  const fields: [string, string, Json][] = [
    ['WF-18', 'a.b', 1],
    ['WF-18', 'a.c.d', 3],
    ['WF-18', 'a.c', { d: 3 }],
    ['WF-18', 'a.x', null],
    ['WF-18', 'empty', null],
    ['WF-18', 'empty.x', null],
    ['WF-18', 'constructor', null],
    ['WF-18', 'a.constructor.name', null],
    ['WF-18', '__proto__', null],
    ['WF-18', 'a.list.0.x', null],
    ['WF-18', 'a.list.length', null],
  ]
  test.each(fields)('%s: %s is %j', (_rule, field, expected) => {
    expect(fieldValue(context, field, field.split('.'))).toEqual(expected)
  })
})

describe('dates', () => {
  const texts = [
    '2026-03-01',
    '2024-02-29T12:30:15.250Z',
    '1969-12-31T23:59:59-11:30',
    '2026-11-15T10:00:00+00:00',
    '0001-01-01',
    '9999-12-31T23:59:59.999Z',
  ]
  test.each(texts)('WF-18a: %s is the instant that every calendar gives it', (text) => {
    expect(isoInstant(text)).toBe(Date.parse(text))
  })

  const others = [
    '',
    '2026',
    '2026-13-01',
    '2023-02-29',
    '2026-01-01 00:00',
    '2026-01-01T25:00',
    '2026-01-01T24:01',
    '2026-01-01T00:60',
    '2026-01-01T00:00:60',
    '2026-01-01T00:00+2',
    '2026-01-01T00:00+99:99',
    ' 2026-01-01',
    '1700000000',
    'Jan 1 2026',
  ]
  test.each(others)('WF-18a: "%s" is no date', (text) => {
    expect(isoInstant(text)).toBeNaN()
  })
})
