import { expect, test } from 'vitest'
import { play } from '../reduce/play.test-kit.ts'
import { cut } from './cut.ts'
import { limits } from './limits.ts'
import { shownReason } from './problem.ts'

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a😀b', 3, 'a\uFFFD…'],
  ['', 3, ''],
])('%j is cut to %i characters', (text, max, short) => {
  expect(cut(text, max)).toBe(short)
})

test('WF-14: what an agent calls a tool, a file or a branch does not swell our answers', () => {
  const run = play(
    '{"id":"w","initial":"a","states":{"a":{"allowed_tools":[]},"z":{"type":"final"}}}',
  )
  const long = 'x'.repeat(10_000)
  run.tool(long)
  run.tool('Read', { branch: long })
  run.edit(long)
  run.send('GO', undefined, { branch: long })
  run.send(long)
  const messages = run.entries.flatMap((entry) => {
    if (entry.type === 'call_decided') return entry.reasons.map((reason) => reason.message)
    return entry.type === 'refused' ? [entry.message] : []
  })
  expect(messages.length).toBe(5)
  for (const message of messages) expect(JSON.stringify(message).length).toBeLessThan(2500)
  const shown = messages.map((message) => shownReason({ code: 'internal', message, path: '' }))
  expect(Math.max(...shown.map(({ message }) => message.length))).toBe(limits.messageLength)
})
