import { describe, expect, test } from 'vitest'
import { person, play } from './play.test-kit.ts'

describe('the end of a run', () => {
  test('PO-7, WF-32: a question that two rules put is withdrawn once, and recorded', () => {
    const run = play(`
      id: w
      initial: a
      policy: {ask: [{capability: webfetch}]}
      states: {a: {on: {GO: z}}, z: {type: final}}
    `)
    const reason = {
      code: 'approval_required',
      message: { phrase: 'policy_unmatched' },
      path: 'role',
    } as const
    const external = [{ source: 'role', kind: 'ask', reasons: [reason] } as const]
    expect(run.tool('WebFetch', { more: { external } })).toBe('ask')
    expect(run.run.asks.length).toBe(2)
    const id = run.run.asks[0]?.id ?? ''
    run.send('GO')
    expect(run.left).toEqual(['transitioned', 'approval_resolved', 'run_ended'])
    expect(run.last.actions).toEqual([
      { type: 'close_approval', approvalId: id, verdict: 'withdrawn' },
      { type: 'end_run', status: 'completed' },
    ])
    expect(run.run.asks).toEqual([])
    expect(run.run.resolved).toEqual([id])
    expect(run.resolve('approve', { approvalId: id, by: person })).toBe('approval_resolved')
  })
})
