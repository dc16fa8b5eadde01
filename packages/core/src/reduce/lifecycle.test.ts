import { describe, expect, test } from 'vitest'
import { isUnguarded } from '../run/snapshot.ts'
import { brief } from '../view/brief.ts'
import { runView } from '../view/run-view.ts'
import { agent, person, play, rows, system, worker } from './play.test-kit.ts'

const workflow = (meta: string) => `
id: w
initial: plan
meta: {approval_mode: ui${meta}}
context: {a: 1, b: {c: 1}}
interrupts: {js: {trigger: {file_pattern: "*.js"}, target: check}}
guards: {never: {field: x, op: eq, value: 1}}
states:
  plan: {allowed_tools: [Read], max_iterations: 2, on: {GO: impl, ASK: {target: done,
      requires_approval: true}, FORK: {fork: {branches: {l: {initial: l1, terminal: l2},
      r: {initial: r1, terminal: r2}}, on_complete: impl}}, SUB: {invoke: sub,
      on_complete: impl}}}
  impl: {allowed_tools: [Read, Edit], on: {DONE: {target: done, guard: never}}}
  check: {on: {OK: $return}}
  l1: {allowed_tools: [Edit], max_iterations: 1, on: {GO: l2}}
  l2: {type: final}
  r1: {on: {GO: {target: r2, requires_approval: true}}}
  r2: {type: final}
  done: {type: final}
  failed: {type: final}
`
const sub = 'id: sub\ninitial: s\nstates: {s: {on: {GO: z}}, z: {type: final}}'
const start = (meta = '', options = {}) => play(workflow(meta), { invokes: [sub], ...options })

describe('forcing a state', () => {
  const table = rows<'rule' | 'meta' | 'by' | 'state' | 'answer'>(`
    rule    meta                        by      state    answer
    WF-26   , debug: true               agent   impl     ok
    WF-26   , debug: true               person  impl     ok
    WF-26   -                           agent   impl     not_debug
    WF-26   -                           person  impl     not_debug
    WF-26   , debug: true               agent   nowhere  unknown_state
    WF-26   , debug: true               agent   __proto__  unknown_state
    WF-26   , debug: true, locked: true  agent   impl     locked
    WF-26   , debug: true, locked: true  person  impl     ok
  `)
  test.each(table)('$rule: meta "$meta", forced by $by to $state is $answer', (row) => {
    const run = start(row.meta === '-' ? '' : row.meta)
    const by = row.by === 'person' ? person : agent
    expect(run.force(row.state, undefined, by)).toBe(row.answer)
  })

  test('WF-26: it merges the context, resets counters and is recorded, past any guard', () => {
    const run = start(', debug: true')
    run.tool('Read')
    expect(run.force('plan', { b: 2, n: 3 })).toBe('ok')
    expect(run.context).toEqual({ a: 1, b: 2, n: 3 })
    expect(run.frame().counters.iterations).toBe(0)
    expect(run.last.entries[0]).toMatchObject({
      type: 'forced',
      from: 'plan',
      to: 'plan',
      by: 'main',
    })
    expect(run.run.transitionCount).toBe(0)
    expect(run.force('impl', { _x: 1 })).toBe('reserved_key')
  })

  test('WF-26: it clears fork, interrupt and approval', () => {
    const run = start(', debug: true')
    run.send('FORK')
    run.send('BRANCH_DONE:l')
    run.send('GO')
    expect(run.status).toBe('waiting')
    const id = run.run.fork?.branches[1]?.lane.approval?.id ?? ''
    run.force('impl')
    expect([run.state, run.status, run.run.fork]).toEqual(['impl', 'running', null])
    expect(run.last.actions).toContainEqual({
      type: 'close_approval',
      approvalId: id,
      verdict: 'withdrawn',
    })
    expect(run.resolve('approve', { approvalId: id })).toBe('approval_resolved')
  })

  test('WF-26: a call that was open before a force belongs to no branch any more', () => {
    const run = start(', debug: true')
    run.send('FORK')
    run.edit('a.js')
    run.force('impl')
    expect(run.result('c1')).toBe('ok')
    expect(run.state).toBe('check')
  })

  test('WF-26a: into a final state it ends the run, and an ended run cannot be forced', () => {
    const run = start(', debug: true')
    run.force('failed')
    expect(run.status).toBe('failed')
    expect(run.force('plan')).toBe('run_not_active')
  })

  test('WF-26: in strict mode only a person may force', () => {
    const run = start(', debug: true', { strict: true })
    expect(run.force('impl')).toBe('locked')
    expect(run.force('impl', undefined, person)).toBe('ok')
  })
})

describe('pausing and resuming', () => {
  test('WF-27: a paused run takes no events and, unlocked, restricts nothing', () => {
    const run = start()
    expect(run.bash('rm -rf x')).toBe('tool_not_allowed')
    expect(run.pause()).toBe('ok')
    expect([run.status, run.left]).toEqual(['paused', ['paused']])
    expect(run.bash('rm -rf x')).toBe('allow')
    expect(run.send('GO')).toBe('run_paused')
    expect(run.answer('yes')).toBe('run_paused')
    expect(run.bind('l', worker('x'))).toBe('run_paused')
    expect(run.pause()).toBe('run_paused')
    expect(brief(run.program, run.run, agent)).toBe(
      'The run of w is paused in plan. Its rules are not enforced until it is resumed: call ' +
        'statewright_load_workflow with name "w" and resume: true.',
    )
  })

  const held = [
    { rule: 'WF-27', how: 'a run locked by its start', options: { locked: true }, meta: '' },
    { rule: 'WF-27', how: 'a run locked by its definition', options: {}, meta: ', locked: true' },
    { rule: 'WF-27', how: 'strict mode', options: { strict: true }, meta: '' },
  ]
  test.each(held)('$rule: in $how a paused run denies all but our tools', ({ options, meta }) => {
    const run = start(meta, options)
    expect(run.pause(person)).toBe('ok')
    expect(run.tool('Read')).toBe('run_paused')
    expect(run.bash('ls')).toBe('run_paused')
    expect(run.tool('statewright_get_state', { toUs: true })).toBe('allow')
    run.resume(person)
    expect(run.tool('Read')).toBe('allow')
  })

  test('WF-27: what a person paused is held, locked or not, until a person resumes it', () => {
    const run = start(', debug: true')
    expect(run.pause(person)).toBe('ok')
    expect([run.run.held, isUnguarded(run.run)]).toEqual([true, false])
    expect([run.tool('Read'), run.bash('ls')]).toEqual(['run_paused', 'run_paused'])
    expect(run.tool('statewright_get_state', { toUs: true })).toBe('allow')
    const tries = [run.resume(), run.stop(), run.force('impl'), run.pause(), run.send('GO')]
    expect(tries).toEqual(['locked', 'locked', 'locked', 'locked', 'run_paused'])
    expect(run.resume(person)).toBe('ok')
    expect([run.run.held, run.tool('Read')]).toEqual([undefined, 'allow'])
  })

  test('WF-27: the agent of a run that is not locked switches its rules off, which is seen', () => {
    const run = start()
    expect(run.pause()).toBe('ok')
    expect([isUnguarded(run.run), run.tool('Write')]).toEqual([true, 'allow'])
    expect(runView(run.program, run.run, agent).unguarded).toBe(true)
    expect(run.resume()).toBe('ok')
    expect([isUnguarded(run.run), run.tool('Write')]).toEqual([false, 'tool_not_allowed'])
  })

  test('WF-27: in strict mode an agent may not pause', () => {
    const run = start('', { strict: true })
    expect([run.pause(), run.pause(person)]).toEqual(['locked', 'ok'])
  })

  test('WF-27: a locked run that a person paused is taken up by a person only', () => {
    const run = start('', { locked: true })
    expect(run.pause(person)).toBe('ok')
    expect([run.resume(agent), run.resume(person)]).toEqual(['locked', 'ok'])
  })

  test('WF-27: an agent can neither pause, stop nor force a locked run', () => {
    const run = start(', debug: true', { locked: true })
    expect([run.pause(), run.stop(), run.force('impl')]).toEqual(['locked', 'locked', 'locked'])
    expect([run.pause(system), run.resume(system), run.stop(person)]).toEqual(['ok', 'ok', 'ok'])
    expect(run.status).toBe('stopped')
  })

  test('WF-27: resuming resets the count of calls and keeps transition count and context', () => {
    const run = start()
    run.send('GO', { x: 5 })
    run.edit('a.ts')
    run.result(run.call, { bytes: 7 })
    run.pause()
    expect(run.resume()).toBe('ok')
    expect([run.state, run.status, run.run.transitionCount]).toEqual(['impl', 'running', 1])
    expect(run.context.x).toBe(5)
    expect(run.frame().counters).toMatchObject({ iterations: 0, bytes: 7, files: ['a.ts'] })
  })

  test('WF-27: a pause keeps fork, child, interrupt and approval', () => {
    const fork = start()
    fork.send('FORK')
    fork.edit('x.ts')
    fork.pause()
    fork.resume()
    expect(fork.branches).toEqual({ l: 'running l1', r: 'pending r1' })
    expect(fork.edit('y.ts')).toBe('allow')
    const child = start()
    child.send('SUB')
    child.pause()
    child.resume()
    expect(child.state).toBe('s')
    child.send('GO')
    expect(child.state).toBe('impl')
    child.edit('a.js')
    child.result(child.call)
    child.pause()
    child.resume()
    expect(child.frame().interrupt?.returnTo).toBe('impl')
    const asked = start()
    asked.send('ASK')
    asked.pause()
    asked.resume()
    expect(asked.status).toBe('waiting')
    expect(asked.resolve('approve')).toBe('ok')
    expect(asked.status).toBe('completed')
  })

  test('WF-27a: only a paused run can be resumed', () => {
    const run = start()
    expect(run.resume()).toBe('run_not_paused')
    run.send('ASK')
    expect(run.resume()).toBe('run_not_paused')
  })

  test('WF-27a: what happens in the gap is in the history', () => {
    const run = start()
    run.pause()
    run.bash('rm -rf x')
    run.resume()
    expect(run.entries.map((entry) => entry.type)).toEqual([
      'run_started',
      'paused',
      'call_decided',
      'resumed',
    ])
  })

  test('WF-27: a paused run counts nothing', () => {
    const run = start()
    run.pause()
    run.tool('Read')
    expect(run.frame().counters.iterations).toBe(0)
    expect(run.result(run.call, { bytes: 9, costMicros: 5 })).toBe('ok')
    expect([run.frame().counters.bytes, run.run.costMicros]).toEqual([0, 5])
  })
})

describe('other entries', () => {
  test('WF-32: notices, probes and gaps are recorded as they are told', () => {
    const run = start()
    run.dispatch({
      type: 'noted',
      by: system,
      entry: 'gap',
      text: 'unclean stop',
      code: 'internal',
    })
    const { cause: _, ...entry } = run.last.entries[0] ?? {}
    expect(entry).toEqual({ type: 'gap', at: 1001, text: 'unclean stop', code: 'internal' })
  })

  test('WF-33: a run starts once', () => {
    const run = start()
    run.dispatch({ type: 'started', hash: 'x' })
    expect(run.last.refusal?.code).toBe('run_not_active')
  })
})
