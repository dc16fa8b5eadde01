import { describe, expect, test } from 'vitest'
import { expandBraces } from './braces.ts'

describe('brace expansion', () => {
  test.each([
    ['a', ['a']],
    ['{a}', ['{a}']],
    ['{a,b}', ['a', 'b']],
    ['x{a,b}y', ['xay', 'xby']],
    ['{a,{b,c}}', ['a', 'b', 'c']],
    ['{,rm}', ['', 'rm']],
    ['{1..3}', ['1', '2', '3']],
    ['{c..a}', ['c', 'b', 'a']],
    ['{1..5..2}', ['1', '3', '5']],
    ["'{a,b}'", ["'{a,b}'"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['${a,b}', ['${a,b}']],
    ['{a,$(x,y)}', ['a', '$(x,y)']],
    ['{a,b', ['{a,b']],
    ['{{a,b}', ['{a', '{b']],
  ])('SH-3: %s becomes %j', (text, expected) => {
    expect(expandBraces(text)).toEqual(expected)
  })

  test('SH-13: what would be too many is refused', () => {
    expect(expandBraces('{1..999999}')).toBe(null)
    expect(expandBraces('{a,b}'.repeat(12))).toBe(null)
  })
})
