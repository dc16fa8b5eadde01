import { expect, test } from 'vitest'
import { phrase } from '../base/text/phrase.ts'
import type { ExternalAnswer } from '../run/tool-call.ts'
import { play } from './play.test-kit.ts'

const workflow = `
id: w
initial: look
policy: {ask: [{capability: web_fetch}]}
interrupts: {env: {trigger: {file_pattern: "*.env"}, target: mend}}
states:
  look: {allowed_tools: [Read, WebFetch], max_iterations: 3, on: {GO: done}}
  mend: {on: {OK: $return}}
  done: {type: final}
`
const more = { mode: 'observe' } as const

test('WF-37: what would be denied passes, and the entry says so', () => {
  const run = play(workflow)
  expect(run.tool('Write', { more })).toBe('tool_not_allowed')
  expect(run.last.answer).toMatchObject({ decision: { kind: 'deny', passes: true } })
  expect(run.last.entries).toMatchObject([
    { type: 'call_decided', decision: 'allow', would: 'deny', code: 'tool_not_allowed' },
  ])
  expect(run.tool('Read', { more })).toBe('allow')
  expect(run.last.entries[0]).not.toHaveProperty('would')
})

test('WF-37: it counts as what it is: a call that was made', () => {
  const run = play(workflow)
  run.edit('a.env', { more })
  expect(run.frame().counters).toMatchObject({ iterations: 1, files: ['a.env'] })
  expect(run.result(run.call)).toBe('ok')
  expect(run.state).toBe('mend')
})

test('WF-37: nobody is asked about a call that passes', () => {
  const run = play(workflow)
  expect(run.tool('WebFetch', { more })).toBe('ask')
  expect([run.left, run.run.asks]).toEqual([['call_decided'], []])
  expect(run.last.entries).toMatchObject([{ decision: 'allow', would: 'ask' }])
})

test('WF-37: what reaches for its guard is denied all the same', () => {
  const external: ExternalAnswer = {
    source: 'self_protection',
    kind: 'deny',
    reasons: [{ code: 'self_protection', message: phrase('own_data'), path: '' }],
  }
  const run = play(workflow)
  expect(run.tool('Read', { more: { ...more, external: [external] } })).toBe('self_protection')
  expect(run.last.entries[0]).toMatchObject({ decision: 'deny' })
  expect(run.run.calls).toEqual([])
})
