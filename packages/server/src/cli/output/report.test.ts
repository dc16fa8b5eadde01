import { afterEach, expect, test } from 'vitest'
import { emphasized, forTerminal, usesColour } from './report.ts'

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

test.each([
  ['warning: No sandbox.', '\u001b[33mwarning:\u001b[0m No sandbox.'],
  ['run_paused: The run is paused.', '\u001b[31mrun_paused:\u001b[0m The run is paused.'],
  ['usage: "a: b"', '\u001b[31musage:\u001b[0m "a: b"'],
  ['The server answers: yes.', 'The server answers: yes.'],
  ['notes: 3', 'notes: 3'],
])('the first word of %j has its colour in a terminal, and none in a pipe', (line, coloured) => {
  process.env = { TERM: 'xterm' }
  expect([emphasized(line, terminal), emphasized(line, pipe)]).toEqual([coloured, line])
})

const narrow = { isTTY: true, columns: 60 } as NodeJS.WriteStream // As above.

test.each([
  [
    'Approve it with "statewright approval approve apr_ba4c226a-d2c2".',
    'Approve it with\n  "statewright approval approve apr_ba4c226a-d2c2".',
  ],
  [
    '  next: run "statewright install claude-code --project" again.',
    '  next: run "statewright install claude-code --project"\n    again.',
  ],
  [
    `It is "statewright ${'very '.repeat(12)}long".`,
    'It is "statewright very very very very very very very very\n  very very very very long".',
  ],
])('a command to copy is not broken in two where it fits: %s', (line, shown) => {
  expect(forTerminal(line, narrow)).toBe(shown)
  expect(forTerminal(line, pipe)).toBe(line)
})
