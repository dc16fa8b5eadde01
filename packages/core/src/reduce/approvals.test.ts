import { describe, expect, test } from 'vitest'
import { brief } from '../view/brief.ts'
import { agent, person, play, rows, system } from './play.test-kit.ts'

const workflow = (mode: 'ui' | 'none') => `
id: w
initial: work
meta: {approval_mode: ${mode}}
context: {score: 90}
guards: {high: {field: score, op: gte, value: 80}}
interrupts: {db: {trigger: {file_pattern: "db/**"}, target: check}}
states:
  work:
    allowed_tools: [Read, Edit]
    approval_timeout_ms: 5000
    safe_next: other
    on:
      DONE: {target: done, guard: high, requires_approval: true, approval_message: Ship it?,
          approval_timeout_ms: 1000}
      SLOW: {target: done, requires_approval: true}
      PICK: [{target: other, guard: low}, {target: done, requires_approval: true}]
      SUB: {invoke: child, on_complete: done}
      FORK: {fork: {branches: {a: {initial: other, terminal: done}}, on_complete: other}}
      OTHER: other
  other: {on: {BACK: work}}
  check: {on: {OK: $return, ASK: {target: $return, requires_approval: true}}}
  done: {type: final}
`
const child = 'id: child\ninitial: c\nstates: {c: {on: {GO: z}}, z: {type: final}}'
const withLow = (mode: 'ui' | 'none') =>
  workflow(mode).replace('guards: {', 'guards: {low: {field: score, op: lt, value: 50}, ')
const ui = (context = {}) => play(withLow('ui'), { invokes: [child], context })

describe('a transition that needs approval', () => {
  test('WF-22: with mode none it fires, and the record carries the message as advice', () => {
    const run = play(withLow('none'), { invokes: [child] })
    expect(run.send('DONE')).toBe('ok')
    expect(run.status).toBe('completed')
    expect(run.last.entries[0]).toMatchObject({ type: 'transitioned', advice: 'Ship it?' })
  })

  test('WF-22: with mode ui it parks: the state stays and its tools go on working', () => {
    const run = ui()
    expect(run.send('DONE', { note: 1 })).toBe('pending')
    expect(run.state).toBe('work')
    expect(run.status).toBe('waiting')
    expect(run.context).toEqual({ score: 90 })
    expect(run.last.actions).toEqual([
      {
        type: 'open_approval',
        approvalId: 'ask1001',
        kind: 'transition',
        message: 'Ship it?',
        expiresAt: 2001,
      },
    ])
    expect(run.tool('Read')).toBe('allow')
    expect(run.tool('Bash')).toBe('tool_not_allowed')
    expect(brief(run.program, run.run, agent)).toContain(
      'Waiting: DONE waits for a person (Ship it?).',
    )
  })

  const others = rows<'rule' | 'event'>(`
    rule    event
    WF-22   OTHER
    WF-22   SUB
    WF-22   FORK
    WF-22   UNKNOWN
    WF-22   BRANCH_DONE:a
    WF-22a  DONE
  `)
  test.each(others)('$rule: while it waits, $event does not get around it', ({ event }) => {
    const run = ui()
    run.send('DONE')
    const id = run.run.main.approval?.id
    const answer = run.send(event)
    expect(answer).toBe(event === 'BRANCH_DONE:a' ? 'unknown_branch' : 'approval_pending')
    if (answer === 'approval_pending') expect(run.last.refusal?.approvalId).toBe(id)
    expect(run.state).toBe('work')
  })

  test('WF-22: approving reads the guards again, merges the data and goes on', () => {
    const run = ui()
    run.send('DONE', { note: 1 })
    expect(run.resolve('approve', { note: 'fine' })).toBe('ok')
    expect(run.status).toBe('completed')
    expect(run.context).toEqual({ score: 90, note: 1 })
    expect(run.left).toEqual(['approval_resolved', 'transitioned', 'run_ended'])
    expect(run.last.entries[1]).toMatchObject({ by: 'main', data: { note: 1 }, event: 'DONE' })
    expect(run.run.transitionCount).toBe(1)
  })

  test('WF-22: rejecting leaves the state and tells the agent why at its next turn', () => {
    const run = ui()
    run.send('DONE', { note: 1 })
    expect(run.resolve('reject', { note: 'Tests are red.' })).toBe('approval_rejected')
    expect([run.state, run.status, run.run.transitionCount]).toEqual(['work', 'running', 0])
    expect(run.context).toEqual({ score: 90 })
    const words = 'Rejected: DONE was rejected by a person: Tests are red.'
    expect(brief(run.program, run.run, agent)).toContain(words)
    run.tool('Read')
    expect(brief(run.program, run.run, agent)).toContain(words)
    run.send('OTHER')
    expect(brief(run.program, run.run, agent)).not.toContain('Rejected:')
  })

  test('WF-22: the nearest timeout counts, and expiring is rejecting', () => {
    const run = ui()
    run.at(1_000_000).send('SLOW')
    expect(run.run.main.approval?.expiresAt).toBe(1_005_000)
    expect(run.resolve('expire', { by: system })).toBe('approval_expired')
    run.at(2_000_000).send('DONE')
    expect(run.run.main.approval?.expiresAt).toBe(2_001_000)
    expect(run.at(2_001_000).resolve('approve')).toBe('approval_expired')
    expect([run.state, run.status]).toEqual(['work', 'running'])
    expect(brief(run.program, run.run, agent)).toContain('Rejected: DONE was not approved in time.')
  })

  test('WF-22: without a timeout it waits for ever', () => {
    const run = play(`
id: w
initial: a
meta: {approval_mode: ui}
states: {a: {on: {GO: {target: z, requires_approval: true}}}, z: {type: final}}
`)
    run.send('GO')
    expect(run.run.main.approval?.expiresAt).toBeNull()
    expect(run.at(10 ** 15).resolve('approve')).toBe('ok')
  })

  test('WF-19, WF-22: approval works inside a candidate', () => {
    const run = ui()
    expect(run.send('PICK')).toBe('pending')
    run.resolve('approve')
    expect(run.state).toBe('done')
    const low = ui({ score: 10 })
    expect(low.send('PICK')).toBe('ok')
    expect(low.state).toBe('other')
  })

  test('WF-22: an interrupt withdraws a pending approval', () => {
    const run = ui()
    run.send('DONE')
    run.edit('db/1.sql')
    run.result(run.call)
    expect([run.state, run.status]).toEqual(['check', 'running'])
    expect(run.left).toEqual(['call_finished', 'approval_resolved', 'interrupted'])
    expect(run.last.actions).toContainEqual({
      type: 'close_approval',
      approvalId: 'ask1001',
      verdict: 'withdrawn',
    })
    expect(run.resolve('approve', { approvalId: 'ask1001' })).toBe('approval_resolved')
    expect(run.send('ASK')).toBe('pending')
    expect(run.run.main.approval?.to).toBe('work')
    run.resolve('approve')
    expect(run.state).toBe('work')
  })
})

describe('resolving an approval', () => {
  test('WF-22a: a second verdict is told apart from a wrong id', () => {
    const run = ui()
    run.send('DONE')
    run.resolve('reject')
    expect(run.resolve('approve', { approvalId: 'ask1001' })).toBe('approval_resolved')
    expect(run.resolve('approve', { approvalId: 'nobody' })).toBe('unknown_approval')
    expect(run.state).toBe('work')
  })

  test('WF-22a: an approval that comes after its guards stopped holding ends as failed', () => {
    const evidence = `
id: w
initial: work
meta: {approval_mode: ui}
evidence: {tests: {tool: Bash, command: npm test, stale_after: ["src/**"]}}
guards: {tested: {evidence: tests}}
states:
  work: {on: {DONE: {target: done, guard: tested, requires_approval: true}}}
  done: {type: final}
`
    const run = play(evidence)
    const digests = { tests: { stale: 'd1', definedBy: null } }
    run.bash('npm test', { more: { digests } })
    run.result(run.call, { digests })
    expect(run.send('DONE', { a: 1 }, { digests })).toBe('pending')
    run.edit('src/a.ts')
    expect(run.resolve('approve', { digests })).toBe('guard_failed')
    expect([run.state, run.status]).toEqual(['work', 'running'])
    expect(run.last.entries[0]).toMatchObject({ type: 'approval_resolved', verdict: 'failed' })
    expect(run.context).toEqual({})
    expect(run.resolve('approve', { approvalId: 'ask1003' })).toBe('approval_resolved')
    expect(brief(run.program, run.run, agent)).toContain('Rejected: DONE was approved, but')
  })

  const actors = [
    { rule: 'WF-22', who: 'an agent approves', by: agent, verdict: 'approve' },
    { rule: 'WF-22', who: 'an agent rejects', by: agent, verdict: 'reject' },
    { rule: 'WF-22', who: 'an agent lets expire', by: agent, verdict: 'expire' },
    { rule: 'WF-22', who: 'the system approves', by: system, verdict: 'approve' },
  ] as const
  test.each(actors)('$rule: $who, which is refused', ({ by, verdict }) => {
    const run = ui()
    run.send('DONE')
    expect(run.resolve(verdict, { by })).toBe('self_approval')
    expect(run.status).toBe('waiting')
    expect(run.resolve('approve', { by: { ...person, id: agent.id } })).toBe('ok')
  })

  test('WF-27: a verdict may come while the run is paused, which stays paused', () => {
    const run = ui()
    run.send('DONE')
    run.pause()
    expect(run.status).toBe('paused')
    expect(run.resolve('reject')).toBe('approval_rejected')
    expect(run.status).toBe('paused')
    run.resume()
    expect(run.status).toBe('running')
  })

  test('WF-22a: in a branch only that branch waits', () => {
    const run = play(`
id: w
initial: s
meta: {approval_mode: ui}
states:
  s: {on: {FORK: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1,
      terminal: b2}}, on_complete: done}}}}
  a1: {on: {GO: {target: a2, requires_approval: true}}}
  a2: {type: final}
  b1: {on: {GO: b2}}
  b2: {type: final}
  done: {type: final}
`)
    run.send('FORK')
    expect(run.send('GO')).toBe('pending')
    expect(run.status).toBe('running')
    expect(run.send('BRANCH_DONE:a')).toBe('approval_pending')
    expect(run.send('BRANCH_FAIL:a')).toBe('approval_pending')
    expect(run.send('BRANCH_DONE:b')).toBe('ok')
    expect(run.status).toBe('waiting')
    expect(run.resolve('approve')).toBe('ok')
    expect(run.status).toBe('completed')
  })

  test('WF-15: the end of the run withdraws what waits', () => {
    const run = ui()
    run.send('DONE')
    run.stop(person)
    expect(run.left).toEqual(['approval_resolved', 'run_ended'])
    expect(run.resolve('approve', { approvalId: 'ask1001' })).toBe('approval_resolved')
  })
})

describe('the end of a question', () => {
  const both = `
id: w
initial: a
meta: {approval_mode: ui}
policy: {ask: [{capability: webfetch}]}
states:
  a: {on: {GO: {target: z, requires_approval: true, approval_timeout_ms: 1000}}}
  z: {type: final}
`
  test.each([
    ['reject', 'rejected', 'approval_rejected'],
    ['expire', 'expired', 'approval_expired'],
  ] as const)('WF-22b: %s is %s, whoever asked', (given, verdict, code) => {
    for (const ask of ['transition', 'call'] as const) {
      const run = play(both)
      if (ask === 'transition') run.send('GO')
      else run.tool('WebFetch')
      run.resolve(given)
      const { answer, entries, actions } = run.last
      expect(answer, ask).toEqual({ type: 'approval_ended', verdict, code })
      expect(entries, ask).toMatchObject([{ type: 'approval_resolved', verdict }])
      expect(actions, ask).toMatchObject([{ type: 'close_approval', verdict }])
    }
  })
})
