import { describe, expect, test } from 'vitest'
import { readSedScript } from './sed-script.ts'

describe('a sed script', () => {
  test.each([
    ['s/a/b/', [], []],
    ['s/w/e/g;p', [], []],
    ['s/a/b/w x', ['x'], []],
    ['/a/,/b/w x y', ['x y'], []],
    ['s/[/]/x/;w f', ['f'], []],
    ['1e date', [], ['date']],
    ['s/a/b/e', [], [null]],
    ['a text w x', [], []],
    ['a\\\nw x\nw y', ['y'], []],
    [':a;N;$!ba;s/\\n/ /', [], []],
    ['$!{h;d};x;G', [], []],
  ])('SH-5: %j writes %j and runs %j', (script, writes, runs) => {
    expect(readSedScript(script)).toMatchObject({ writes, runs })
  })

  test.each(['s/a', 'Z', 's/a/b/ w x', 'y/a/b'])('SH-1: %j is not understood', (script) => {
    expect(readSedScript(script)).toBe(null)
  })
})
