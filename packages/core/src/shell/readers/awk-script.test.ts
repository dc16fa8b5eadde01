import { describe, expect, test } from 'vitest'
import { readAwkScript } from './awk-script.ts'

describe('an awk program', () => {
  test.each([
    ['$1 > 5', [], []],
    ['{ print ($1 > 5) }', [], []],
    ['{ if (a > b) print "x" }', [], []],
    ['{ print > "f" }', ['f'], []],
    ['{ print $1, $2 >> $3 ".x" }', [null], []],
    ['{ print | "sort" }', [], ['sort']],
    ['{ "date" | getline d }', [], ['date']],
    ['{ c = "x"; c | getline }', [], [null]],
    ['BEGIN { system("ls") }', [], ['ls']],
    ['BEGIN { system("l" "s") }', [], [null]],
    ['/a > b/ { print }', [], []],
    ['{ print "a > b" }', [], []],
    ['{ print $1 / 2 / system("x") }', [], ['x']],
    ['a || b', [], []],
    ['{ print } # > "f"', [], []],
  ])('SH-5: %s writes %j and runs %j', (script, writes, runs) => {
    expect(readAwkScript(script)).toMatchObject({ writes, runs, readsEnvironment: false })
  })

  test('SH-9: ENVIRON is the environment', () => {
    expect(readAwkScript('{ print ENVIRON["X"] }')).toMatchObject({
      readsEnvironment: false,
      variables: ['X'],
    })
    expect(readAwkScript('{ print ENVIRON[$1] }')?.readsEnvironment).toBe(true)
    expect(readAwkScript('{ for (k in ENVIRON) print k }')?.readsEnvironment).toBe(true)
    expect(readAwkScript('/ENVIRON/')?.readsEnvironment).toBe(false)
  })

  test.each(['"a', '/a'])('SH-1: %j is not understood', (script) => {
    expect(readAwkScript(script)).toBe(null)
  })
})
