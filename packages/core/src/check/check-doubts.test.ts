import { expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'

const codes = (states: object) =>
  checkDefinition({ id: 'w', initial: 'a', states }).findings.map(({ code }) => code)

test.each(['fail', 'gave_up', 'timeout', 'canceled', 'deploy_failed', 'deploy-timeout'])(
  'WF-3, WF-15: a final state called %s says what it means',
  (name) => {
    const on = { GO: name }
    expect(codes({ a: { on }, [name]: { type: 'final' } })).toEqual(['outcome_unclear'])
    for (const outcome of ['success', 'failure']) {
      expect(codes({ a: { on }, [name]: { type: 'final', outcome } })).toEqual([])
    }
  },
)

test.each(['done', 'failed', 'cancelled', 'deployed', 'failover_done'])(
  'WF-3, WF-15: %s is clear',
  (name) => {
    expect(codes({ a: { on: { GO: name } }, [name]: { type: 'final' } })).toEqual([])
  },
)

test('WF-3, WF-16: an event called * is no wildcard', () => {
  const done = { type: 'final' }
  expect(codes({ a: { on: { '*': 'done' } }, done })).toEqual(['event_wildcard'])
})

test('WF-3, WF-13: instructions that a brief would cut are told', () => {
  const a = (length: number) => ({ instructions: 'x'.repeat(length), on: { GO: 'done' } })
  const done = { type: 'final' }
  expect([codes({ a: a(5000), done }), codes({ a: a(5001), done })]).toEqual([
    [],
    ['instructions_cut'],
  ])
})
