import { describe, expect, test } from 'vitest'
import { play, worker } from '../reduce/play.test-kit.ts'

const forking = (policy = '{}') =>
  play(`
    id: w
    initial: s
    policy: ${policy}
    states:
      s: {allowed_tools: [], on: {FORK: {fork: {branches: {a: {initial: a1, terminal: a2},
        b: {initial: b1, terminal: b2}}, on_complete: z}}}}
      a1: {allowed_tools: [Read], on: {GO: a2}}
      a2: {type: final}
      b1: {allowed_tools: [Read], on: {GO: b2}}
      b2: {type: final}
      z: {type: final}
  `)

describe('starting workers in a fork', () => {
  test('WF-25: whoever is bound to a branch is judged by that branch alone', () => {
    const run = forking()
    run.send('FORK')
    expect(run.tool('Agent')).toBe('allow')
    run.bind('a', worker('wa'))
    expect(run.tool('Agent', { by: worker('wa') })).toBe('tool_not_allowed')
    run.send('BRANCH_DONE:a', undefined, { by: worker('wa') })
    expect(run.tool('Agent', { by: worker('wa') })).toBe('tool_not_allowed')
    expect(run.tool('Agent')).toBe('allow')
  })

  test('WF-25, PO-1: a policy holds for the parent while others work its fork', () => {
    const run = forking('{deny: [{capability: agent}]}')
    run.send('FORK')
    expect(run.tool('Agent')).toBe('policy_denied')
    run.bind('a', worker('wa'))
    expect(run.tool('Agent')).toBe('policy_denied')
  })
})
