import { afterEach, expect, test } from 'vitest'
import { usesColour } from './report.ts'

const before = { ...process.env }
afterEach(() => {
  process.env = { ...before }
})

const terminal = { isTTY: true } as NodeJS.WriteStream // All that is asked of it.
const pipe = { isTTY: false } as NodeJS.WriteStream // As above.

test.each([
  [{}, true, false],
  [{ NO_COLOR: '1' }, false, false],
  [{ TERM: 'dumb' }, false, false],
  [{ FORCE_COLOR: '1' }, true, true],
  [{ FORCE_COLOR: '0' }, false, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
])('with %o colours are used in a terminal: %s, and in a pipe: %s', (variables, on, off) => {
  process.env = { TERM: 'xterm', ...variables }
  expect([usesColour(terminal), usesColour(pipe)]).toEqual([on, off])
})
