import { expect, test } from 'vitest'
import { textDiff } from './text-diff.ts'

const lines = (text: string) => text.replaceAll(' ', '\n')

test.each([
  ['a b c', 'a x c', ['  a', '- b', '+ x', '  c']],
  ['a b c', 'a c', ['  a', '- b', '  c']],
  ['a c', 'a b c', ['  a', '+ b', '  c']],
  ['', 'a', ['+ a']],
  ['a', '', ['- a']],
  ['a', 'a', []],
  [
    'a b c d e f g h',
    'x b c d e f g y',
    ['- a', '+ x', '  b', '  c', '  …', '  f', '  g', '- h', '+ y'],
  ],
])('from %j to %j', (before, after, shown) => {
  expect(textDiff(lines(before), lines(after))).toEqual(shown)
})

test('texts that would take long to compare are shown one after the other', () => {
  const many = (name: string) => Array.from({ length: 2100 }, (_, index) => name + index)
  const shown = textDiff(many('a').join('\n'), many('b').join('\n'))
  expect(shown).toEqual([
    ...many('a').map((line) => `- ${line}`),
    ...many('b').map((line) => `+ ${line}`),
  ])
})
