import { describe, expect, test } from 'vitest'
import { type Command, matching } from '../app/palette.ts'
import { valueAtPath } from '../definitions/definition-path.ts'
import { contextDiff } from '../history/context-diff.ts'
import { headlineOf } from './call-arguments.ts'
import { plainText, plainValue } from './plain-text.ts'
import { ago, bytes, count, left, shortId, usd } from './words.ts'

describe('words of an agent', () => {
  test.each([
    ['a direction that turns', 'rm \u202e txt', 'rm \\u{202e} txt'],
    ['a space that is not seen', 'a\u200bb', 'a\\u{200b}b'],
    ['a control character', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
    ['lines and tabs, which are seen', 'a\n\tb', 'a\n\tb'],
    ['letters of any script', 'größe 名前', 'größe 名前'],
  ])('%s is shown', (_, text, shown) => {
    expect(plainText(text)).toBe(shown)
  })

  test('are bounded, and say how much is missing', () => {
    expect(plainText('x'.repeat(12), 10)).toBe('xxxxxxxxxx… (2 more)')
    expect(plainValue({ a: ['b'] })).toBe('{\n  "a": [\n    "b"\n  ]\n}')
    expect(plainValue(undefined)).toBe('nothing')
  })
})

test('times, sizes and money are short', () => {
  const now = 1_000_000_000_000
  const times = [1000, 30_000, 120_000, 7_200_000, 200_000_000].map((past) => ago(now - past, now))
  expect(times).toEqual(['now', '30 s ago', '2 min ago', '2 h ago', '2 d ago'])
  expect([left(now - 1, now), left(now + 90_000, now)]).toEqual(['over', '2 min left'])
  expect([usd(0), usd(0.001), usd(1.5)]).toEqual(['$0', '<$0.01', '$1.50'])
  expect([bytes(10), bytes(2048), bytes(3_145_728)]).toEqual(['10 B', '2.0 kB', '3.0 MB'])
  expect([count(1, 'run'), count(2, 'run')]).toEqual(['1 run', '2 runs'])
  expect(shortId('run_0123456789abcdef')).toBe('run_0123…cdef')
})

test('what a step wrote comes first, with what was there before', () => {
  expect(contextDiff({ a: 1, b: [1], gone: true }, { a: 1, b: [2], fresh: 'x' })).toEqual([
    { name: 'b', change: 'changed', before: [1], now: [2] },
    { name: 'fresh', change: 'added', before: undefined, now: 'x' },
    { name: 'gone', change: 'removed', before: true, now: undefined },
    { name: 'a', change: 'same', before: 1, now: 1 },
  ])
})

test('the place of a rule is found, also when names hold dots', () => {
  const definition = { states: { 'a.b': { allowed_tools: ['Read'] } }, policy: { ask: [{ c: 1 }] } }
  expect(valueAtPath(definition, 'states.a.b.allowed_tools')).toEqual(['Read'])
  expect(valueAtPath(definition, 'policy.ask.0')).toEqual({ c: 1 })
  expect(valueAtPath(definition, 'states.constructor')).toBe(undefined)
})

test('an approval is named by what it would do', () => {
  expect(headlineOf({ kind: 'ask', tool: 'Bash' })).toBe('Call Bash')
  expect(headlineOf({ kind: 'transition', event: 'GO', from: 'a', to: 'b' })).toBe('a → b')
  const answer = headlineOf({ kind: 'checkpoint', event: 'yes', from: 'sure', to: null })
  expect(answer).toBe('Answer “yes” in sure')
})

test('the palette puts what begins with the word first, and wants every word', () => {
  const command = (name: string, hint = ''): Command => ({ id: name, name, hint, act: () => {} })
  const all = [command('Settings', 'runs nothing'), command('All runs'), command('Runs')]
  expect(matching(all, 'runs').map(({ name }) => name)).toEqual(['Runs', 'All runs', 'Settings'])
  expect(matching(all, 'runs settings').map(({ name }) => name)).toEqual(['Settings'])
  expect(matching(all, 'nothing at all')).toEqual([])
})
