import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { agent, person, play, rows, worker } from './play.test-kit.ts'

const workflow = (join: string, fail = ', on_fail: repair') => `
id: w
initial: start
context: {n: 0, keep: 1}
guards: {ok: {field: ok, op: eq, value: true}}
states:
  start: {on: {FORK: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1,
      terminal: b2}}, join: ${join}, on_complete: after${fail}}}}}
  a1: {allowed_tools: [Read], max_iterations: 2, on: {GO: a2, BAD: lost}}
  a2: {type: final}
  b1: {allowed_tools: [Edit], on: {NEXT: b1x, BAD: lost}}
  b1x: {on: {GO: {target: b2, guard: ok}, SET: b1x, INNER: {fork: {branches: {c: {initial: a1,
      terminal: a2}}, on_complete: b2}}}}
  b2: {type: final}
  after: {on: {FORK_AGAIN: start, END: done}}
  repair: {on: {END: lost}}
  done: {type: final}
  lost: {type: final, outcome: failure}
`
const wa = worker('wa')
const wb = worker('wb')

describe('a fork worked one branch after the other', () => {
  test('WF-24: the parent waits, each branch has its own state, counters and context', () => {
    const run = play(workflow('all'))
    expect(run.tool('WebFetch')).toBe('allow')
    expect(run.send('FORK', { n: 1, rationale: 'split' })).toBe('ok')
    expect(run.branches).toEqual({ a: 'running a1', b: 'pending b1' })
    expect(run.state).toBe('start')
    expect(run.frame('a').context).toEqual({ n: 1, keep: 1, rationale: 'split' })
    expect(run.frame('a').counters).toMatchObject({ iterations: 0, files: [] })
    expect(run.last.entries[0]).toMatchObject({
      type: 'forked',
      from: 'start',
      event: 'FORK',
      join: 'all',
      branches: ['a', 'b'],
      by: 'main',
      data: { n: 1, rationale: 'split' },
      rationale: 'split',
    })
    expect(run.run.transitionCount).toBe(1)
  })

  test('WF-25: the current branch is the first unfinished one in the order written', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    expect([run.tool('Read'), run.edit('x')]).toEqual(['allow', 'tool_not_allowed'])
    run.send('GO', { from_a: 1 })
    expect(run.branches).toEqual({ a: 'completed a2', b: 'running b1' })
    expect([run.tool('Read'), run.edit('x')]).toEqual(['tool_not_allowed', 'allow'])
    expect(run.frame('b').context).toEqual({ n: 0, keep: 1 })
  })

  test('WF-24: when all are completed the run goes on and the contexts come back', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    run.send('GO', { only_a: 1, both: 'a', n: 5 })
    run.send('NEXT', { ok: true, both: 'b' })
    expect(run.send('GO', { keep: 1 })).toBe('ok')
    expect([run.state, run.run.fork]).toEqual(['after', null])
    expect(run.context).toEqual({
      n: 5,
      keep: 1,
      only_a: 1,
      ok: true,
      branches: {
        a: { n: 5, keep: 1, only_a: 1, both: 'a' },
        b: { n: 0, keep: 1, ok: true, both: 'b' },
      },
    })
    expect(run.left).toEqual(['transitioned', 'branch_ended', 'joined'])
    expect(run.run.transitionCount).toBe(4)
  })

  const ends = rows<'rule' | 'join' | 'sends' | 'state' | 'status'>(`
    rule   join  sends                             state   status
    WF-24  all   GO BRANCH_FAIL:b                  repair  running
    WF-24  all   BAD                               repair  running
    WF-24  any   GO                                after   running
    WF-24  any   BAD                               start   running
    WF-24  any   BAD BRANCH_FAIL:b                 repair  running
    WF-24  any   BRANCH_FAIL:b GO                  after   running
  `)
  test.each(ends)('$rule: join $join after $sends stands at $state', (row) => {
    const run = play(workflow(row.join))
    run.send('FORK')
    for (const event of row.sends.split(' ')) run.send(event)
    expect([run.state, run.status]).toEqual([row.state, row.status])
  })

  test('WF-24: without on_fail the run fails', () => {
    const run = play(workflow('all', ''))
    run.send('FORK')
    run.send('BAD')
    expect([run.status, run.run.fork]).toEqual(['failed', null])
    expect(run.left).toEqual([
      'transitioned',
      'branch_ended',
      'branch_ended',
      'joined',
      'run_ended',
    ])
  })

  test('WF-24a: cancelled and failed branches keep their context and status', () => {
    const run = play(workflow('any'))
    run.send('FORK')
    run.send('BRANCH_FAIL:b', { why: 'no' })
    run.send('GO', { won: true })
    expect(run.context.branches).toEqual({
      a: { n: 0, keep: 1, won: true },
      b: { n: 0, keep: 1, why: 'no', _status: 'failed' },
    })
    const race = play(workflow('any'))
    race.send('FORK')
    race.send('GO')
    expect(race.context.branches).toMatchObject({ b: { _status: 'cancelled' } })
    expect(race.context).not.toHaveProperty('_status')
  })

  test('WF-24: only its own terminal completes a branch, whatever final states are called', () => {
    const text = `
id: w
initial: s
states:
  s:
    on:
      FORK: {fork: {branches: {a: {initial: a1, terminal: failed}}, on_complete: good,
        on_fail: bad}}
  a1: {on: {TERMINAL: failed, OTHER: done}}
  failed: {type: final}
  good: {on: {END: done}}
  bad: {on: {END: done}}
  done: {type: final}
`
    for (const [event, state] of [
      ['TERMINAL', 'good'],
      ['OTHER', 'bad'],
    ] as const) {
      const run = play(text)
      run.send('FORK')
      run.send(event)
      expect(run.state).toBe(state)
    }
  })

  test('WF-24: a fork inside a branch is refused', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    run.send('GO')
    run.send('NEXT')
    expect(run.send('INNER')).toBe('fork_in_branch')
  })

  test('WF-24: forks inside a loop do not pile their contexts up', () => {
    const run = play(workflow('any'))
    let size = 0
    for (let round = 0; round < 12; round++) {
      run.send('FORK')
      run.send('GO', { text: 'x'.repeat(100) })
      run.send('FORK_AGAIN')
      if (round === 1) size = JSON.stringify(run.context).length
    }
    expect(JSON.stringify(run.context).length).toBe(size)
  })

  test('WF-24: what the branches bring back stays within the limit of a context', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    const part = 'x'.repeat(limits.eventDataBytes - 200)
    run.send('GO', { a: part })
    for (const key of ['b', 'c', 'd']) run.send(key === 'b' ? 'NEXT' : 'SET', { [key]: part })
    run.send('GO', { e: part })
    run.send('SET', { ok: true })
    run.send('GO')
    expect(run.state).toBe('after')
    expect(JSON.stringify(run.context).length).toBeLessThan(limits.contextBytes * 1.1)
    expect(run.left).toContain('notice')
  })
})

describe('finishing a branch by name', () => {
  const table = rows<'rule' | 'before' | 'event' | 'answer'>(`
    rule   before       event              answer
    WF-24  -            BRANCH_DONE:a      ok
    WF-24  -            BRANCH_DONE:b      branch_not_done
    WF-24  GO           BRANCH_DONE:a      ok
    WF-24  GO,NEXT      BRANCH_DONE:b      branch_not_done
    WF-24  -            BRANCH_DONE:x      unknown_branch
    WF-24  -            BRANCH_DONE:       unknown_branch
    WF-24  -            BRANCH_DONE        unknown_branch
    WF-24  GO           BRANCH_FAIL:a      branch_not_done
    WF-24  -            BRANCH_FAIL:a      ok
    WF-24  -            BRANCH_DONE:__proto__  unknown_branch
  `)
  test.each(table)('$rule: after $before, $event is $answer', ({ before, event, answer }) => {
    const run = play(workflow('all'))
    run.send('FORK')
    for (const one of before === '-' ? [] : before.split(',')) run.send(one)
    expect(run.send(event)).toBe(answer)
  })

  test('WF-24: a refusal tells the way there', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    run.send('BRANCH_DONE:b', { ok: true })
    expect(run.last.refusal?.message).toBe(
      'Branch b is in b1, not at b2. The way there: NEXT -> b1x, GO -> b2.',
    )
    expect(run.frame('b').context).toEqual({ n: 0, keep: 1 })
  })

  test('WF-24a: the data of BRANCH_DONE merges into the branch first', () => {
    const run = play(workflow('any'))
    run.send('FORK')
    run.send('BRANCH_DONE:a', { result: 7 })
    expect(run.context).toMatchObject({ result: 7, branches: { a: { result: 7 } } })
  })

  test('WF-24: said again after the join it is no mistake', () => {
    const run = play(workflow('any'))
    run.send('FORK')
    run.send('BRANCH_DONE:a')
    expect(run.send('BRANCH_DONE:a')).toBe('ok')
    expect(run.notices).toEqual(['Branch a was already completed, and the fork has joined.'])
    expect(run.send('BRANCH_DONE:b')).toBe('unknown_branch')
  })

  test('WF-24: a branch state without events may be finished, a child in it may not', () => {
    const run = play(
      `
id: w
initial: s
states:
  s: {on: {FORK: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1,
      terminal: b2}}, on_complete: z}}}}
  a1: {}
  a2: {type: final}
  b1: {on: {SUB: {invoke: sub, on_complete: b2}, GO: b2}}
  b2: {type: final}
  z: {type: final}
`,
      {
        invokes: [
          'id: sub\ninitial: x\nstates: {x: {on: {GO: y}}, y: {type: final}, z: {type: final}}',
        ],
      },
    )
    run.send('FORK')
    expect(run.send('BRANCH_DONE:a')).toBe('ok')
    run.send('SUB')
    expect(run.send('BRANCH_DONE:b')).toBe('branch_not_done')
    run.send('GO')
    expect(run.status).toBe('completed')
  })
})

describe('attacks on a fork', () => {
  test('WF-24: BRANCH_DONE does not skip the guards of an earlier candidate', () => {
    const run = play(`
id: w
initial: s
context: {broken: true}
guards: {bad: {field: broken, op: eq, value: true}}
states:
  s: {on: {FORK: {fork: {branches: {a: {initial: a1, terminal: a2}}, on_complete: z}}}}
  a1: {on: {CHECK: [{target: fix, guard: bad}, {target: a2}]}}
  fix: {on: {FIXED: a1}}
  a2: {type: final}
  z: {type: final}
`)
    run.send('FORK')
    expect(run.send('BRANCH_DONE:a')).toBe('branch_not_done')
    run.send('CHECK')
    expect(run.branches).toEqual({ a: 'running fix' })
  })

  const thieves = [
    { rule: 'WF-24', what: 'finish a bound branch', event: 'BRANCH_DONE:a', by: agent },
    { rule: 'WF-24', what: 'fail a bound branch', event: 'BRANCH_FAIL:a', by: agent },
    { rule: 'WF-24', what: 'finish it from another branch', event: 'BRANCH_DONE:a', by: wb },
    { rule: 'WF-24', what: 'fail it from another branch', event: 'BRANCH_FAIL:a', by: wb },
  ]
  test.each(thieves)('$rule: nobody else may $what', ({ event, by }) => {
    const run = play(workflow('any'))
    run.send('FORK')
    run.bind('a', wa)
    run.bind('b', wb)
    expect(run.send(event, undefined, { by })).toBe('branch_bound')
    expect(run.send('BRANCH_DONE', undefined, { by: wa })).toBe('ok')
    expect(run.state).toBe('after')
  })

  test('WF-24: a bound worker does not end a branch that nobody has taken', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    run.bind('b', wb)
    expect(run.send('BRANCH_FAIL:a', undefined, { by: wb })).toBe('branch_bound')
    expect(run.send('GO', undefined, { by: wb, branch: 'a' })).toBe('branch_bound')
    expect(run.send('BRANCH_DONE:a', undefined, { by: agent })).toBe('ok')
  })

  test('WF-25: a branch is bound once, and so is a caller', () => {
    const run = play(workflow('all'))
    expect(run.bind('a', wa)).toBe('unknown_branch')
    run.send('FORK')
    expect(run.bind('x', wa)).toBe('unknown_branch')
    expect(run.bind('a', wa)).toBe('ok')
    expect(run.bind('a', wa)).toBe('ok')
    expect(run.left).toEqual([])
    expect(run.bind('a', wb)).toBe('branch_bound')
    expect(run.bind('b', wa)).toBe('branch_bound')
    run.send('GO', undefined, { by: wa })
    expect(run.bind('b', wa)).toBe('branch_bound')
    expect(run.bind('a', wb)).toBe('branch_bound')
  })

  test('WF-25: calls of a bound caller are judged by its branch alone', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    run.bind('a', wa)
    run.bind('b', wb)
    expect([run.tool('Read', { by: wa }), run.edit('x', { by: wa })]).toEqual([
      'allow',
      'tool_not_allowed',
    ])
    expect([run.tool('Read', { by: wb }), run.edit('x', { by: wb })]).toEqual([
      'tool_not_allowed',
      'allow',
    ])
    expect(run.edit('x', { by: wa, branch: 'b' })).toBe('tool_not_allowed')
    expect(run.frame('a').counters.iterations).toBe(1)
    expect(run.frame('b').counters.files).toEqual(['x'])
  })

  test('WF-25a: once one caller is bound, others only start workers and use our tools', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    expect(run.tool('Agent')).toBe('allow')
    run.bind('a', wa)
    expect(run.tool('Read')).toBe('tool_not_allowed')
    expect(run.edit('x', { branch: 'b' })).toBe('tool_not_allowed')
    expect(run.tool('Read', { by: worker('stray') })).toBe('tool_not_allowed')
    expect(run.tool('Task')).toBe('allow')
    expect(run.tool('process_state', { toUs: true })).toBe('allow')
    expect(run.send('NEXT', undefined, { branch: 'b' })).toBe('unknown_branch')
  })

  test('WF-25: a worker whose branch is over gets nothing more until the join', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    run.bind('a', wa)
    run.bind('b', wb)
    run.send('GO', undefined, { by: wa })
    expect(run.tool('Read', { by: wa })).toBe('tool_not_allowed')
    run.send('NEXT', { ok: true }, { by: wb })
    run.send('GO', undefined, { by: wb })
    expect(run.state).toBe('after')
    expect(run.tool('Read', { by: wa })).toBe('allow')
  })

  test('WF-24: a person may end a bound branch', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    run.bind('a', wa)
    expect(run.send('BRANCH_FAIL:a', undefined, { by: person })).toBe('ok')
    expect(run.state).toBe('repair')
  })

  test('WF-8, WF-24: a branch has its own limits, also when it is named', () => {
    const run = play(workflow('all'))
    run.send('FORK')
    expect([1, 2, 3].map(() => run.tool('Read'))).toEqual([
      'allow',
      'allow',
      'iterations_exhausted',
    ])
    expect(run.tool('Read', { branch: 'a' })).toBe('iterations_exhausted')
  })
})
