import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countLines, editedLines } from './line-diff.ts'

/** The longest common subsequence by the textbook recurrence: slow and plainly right. */
function slowEditedLines(before: readonly string[], after: readonly string[]): number {
  let below: number[] = []
  for (const line of before.toReversed()) {
    const current: number[] = []
    for (let column = after.length - 1; column >= 0; column--) {
      current[column] =
        line === after[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, current[column + 1] ?? 0)
    }
    below = current
  }
  return Math.max(before.length, after.length) - (below[0] ?? 0)
}

describe('lines of a change', () => {
  test.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\n\n', 2],
    ['a\r\nb\r\n', 2],
    ['a\rb', 2],
  ])('WF-9: %j has %i lines', (text, lines) => {
    expect(countLines(text)).toBe(lines)
  })

  test.each([
    ['a', 'a', 0],
    ['a', 'b', 1],
    ['', 'a\nb\n', 2],
    ['a\nb\nc\n', '', 3],
    ['a\nb\nc', 'a\nB\nc', 1],
    ['a\nb', 'a\nb\nc', 1],
    ['a\nb\n', 'b\na\n', 1],
    ['a\nb\nc\nd', 'x\nb\ny\nd', 2],
    ['a\r\nb', 'a\nb', 1],
  ])('WF-9: from %j to %j: %i', (before, after, lines) => {
    expect(editedLines(before, after)).toBe(lines)
  })

  test('WF-9: the count is that of a shortest line diff', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 40 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const text = (list: readonly string[]) => list.map((line) => `${line}\n`).join('')
        expect(editedLines(text(before), text(after))).toBe(slowEditedLines(before, after))
      }),
      { numRuns: 500 },
    )
  })

  test('WF-9: a small change in five megabytes is counted exactly', () => {
    const lines = Array.from({ length: 600_000 }, (_, index) => `line ${index % 1000}`)
    const before = lines.join('\n')
    lines[0] = 'first'
    lines[300_000] = 'middle'
    lines[599_999] = 'last'
    expect(editedLines(before, lines.join('\n'))).toBe(3)
  })

  test('WF-9: where the diff would take too long, the stricter bound counts, in time', () => {
    const many = (seed: number) =>
      Array.from({ length: 200_000 }, (_, index) => `${(index * seed) % 7919}`).join('\n')
    expect(editedLines(many(31), many(977))).toBeGreaterThan(100_000)
  })
})
