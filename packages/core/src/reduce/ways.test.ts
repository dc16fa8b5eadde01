import { describe, expect, test } from 'vitest'
import { play } from './play.test-kit.ts'

describe('the way on that a denial tells', () => {
  const guarded = `
id: w
initial: a
context: {ok: false}
guards: {ok: {field: ok, op: eq, value: true}}
policy: {deny: [{capability: websearch}]}
states:
  a: {allowed_tools: [Read], on: {EVALUATE: [{target: b, guard: ok}, {target: lost}],
      GO: {target: b, guard: ok}, LONG: c, SET: a}}
  b: {allowed_tools: [Edit, WebSearch], on: {END: done}}
  c: {allowed_tools: [Read], on: {NEXT: b}}
  done: {type: final}
  lost: {type: final, outcome: failure}
`

  test('WF-14: no way is told that a guard closes, or that leads elsewhere now', () => {
    const run = play(guarded)
    run.edit('a.ts')
    expect(run.last.answer).toHaveProperty('decision.way', [
      { event: 'LONG', target: 'c' },
      { event: 'NEXT', target: 'b' },
    ])
    run.send('SET', { ok: true })
    run.edit('a.ts')
    expect(run.last.answer).toHaveProperty('decision.way', [{ event: 'EVALUATE', target: 'b' }])
  })

  test('WF-14: where every way is closed, it says what the guards still want', () => {
    const run = play(guarded.replace(', LONG: c', ''))
    run.edit('a.ts')
    expect(run.last.answer).toHaveProperty('decision.way', [
      { event: 'EVALUATE', target: 'b', needs: expect.stringContaining('ok') },
    ])
  })

  test('WF-14: no way is told round what says no everywhere', () => {
    const run = play(guarded)
    expect(run.tool('WebSearch')).toBe('tool_not_allowed')
    expect(run.last.answer).not.toHaveProperty('decision.way')
  })
})
