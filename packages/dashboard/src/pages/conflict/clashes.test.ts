import { expect, test } from 'vitest'
import { clashes } from './clashes.ts'

const base = 'id: a\nstates:\n  one: { allowed_tools: [Read] }\n  two: { type: final }\n'

test('PO-1f: fields that both changed are named, others are not', () => {
  const theirs = base.replace('[Read]', '[Read, Bash]')
  expect(clashes(base, theirs, base.replace('[Read]', '[Glob]'))).toEqual([
    'states.one.allowed_tools',
  ])
  expect(clashes(base, theirs, base.replace('id: a', 'id: b'))).toEqual([])
  // The same change twice is none, and who takes out what the other changed clashes with it.
  expect(clashes(base, theirs, theirs)).toEqual([])
  const without = 'id: a\nstates:\n  two: { type: final }\n'
  expect(clashes(base, theirs, without)).toEqual(['states.one'])
})
