import { describe, expect, test } from 'vitest'
import { play, rows, worker } from './play.test-kit.ts'

const workflow = `
id: w
initial: plan
meta: {debug: true}
interrupts:
  hooks: {trigger: {file_pattern: "pb/**/*.js"}, target: check}
  any_js: {trigger: {file_pattern: "**/*.js"}, target: lint}
  sql: {trigger: {file_pattern: "*.sql", shell: true}, target: check}
states:
  plan: {on: {GO: impl, DONE: done}}
  impl: {max_iterations: 5, on: {DONE: done, BACK: plan}}
  check: {allowed_tools: [Read, Edit], instructions: Run the hooks., on: {OK: $return,
      MORE: deeper, FAIL: repair}}
  deeper: {on: {OK: $return}}
  lint: {on: {OK: [{target: $return}]}}
  repair: {on: {RETRY: impl}}
  done: {type: final}
`

function edited(run: ReturnType<typeof play>, path: string, tool = 'Edit') {
  run.tool(tool, { edits: [{ path, op: 'edit', lines: 1 }] })
  run.result(run.call)
}

describe('what fires an interrupt', () => {
  const table = rows<'rule' | 'tool' | 'path' | 'state'>(`
    rule   tool         path             state
    WF-28  Edit         pb/a.js          check
    WF-28  Write        pb/x/y/b.js      check
    WF-28  MultiEdit    pb/a.js          check
    WF-28  apply_patch  pb/a.js          check
    WF-28  write_file   pb/a.js          check
    WF-28  Edit         src/a.js         lint
    WF-28  Edit         a.js             lint
    WF-28  Edit         src/a.ts         plan
    WF-28  Edit         a.sql            check
    WF-28  Edit         db/a.sql         plan
    WF-30  Edit         pb/.hidden/a.js  check
  `)
  test.each(table)('$rule: $tool of $path leads to $state', ({ tool, path, state }) => {
    const run = play(workflow)
    edited(run, path, tool)
    expect(run.state).toBe(state)
  })

  test('WF-28: the first match in the order written counts, over all paths of a patch', () => {
    const run = play(workflow)
    const edits = ['src/a.ts', 'src/b.js', 'pb/c.js'].map(
      (path) => ({ path, op: 'edit', lines: 1 }) as const,
    )
    run.tool('apply_patch', { edits })
    run.result(run.call)
    expect(run.state).toBe('check')
    expect(run.frame().interrupt).toMatchObject({ name: 'hooks', file: 'pb/c.js' })
  })

  const ends = rows<'rule' | 'exit' | 'seen' | 'state'>(`
    rule   exit     seen    state
    WF-28  success  a.sql   check
    WF-28  failure  a.sql   check
    WF-28  failure  b.js    plan
    WF-28  failure  -       plan
  `)
  test.each(ends)('$rule: a command that ends in $exit and changed $seen: $state', (row) => {
    const run = play(workflow)
    run.bash('sh make.sh')
    const seen = row.seen === '-' ? {} : { changed: { files: [row.seen] } }
    run.result(run.call, { exit: row.exit === 'failure' ? 'failure' : 'success', ...seen })
    expect(run.state).toBe(row.state)
  })

  test('WF-28: a command that was taken for done fires once for what it names', () => {
    const run = play(workflow)
    run.bash('echo x > a.sql')
    const { call } = run
    run.tool('Read')
    expect(run.state).toBe('check')
    expect(run.send('OK')).toBe('ok')
    run.result(call, { changed: { files: ['a.sql'] } })
    expect(run.state).toBe('plan')
  })

  test('WF-28: the notice tells file, from, to and how to return', () => {
    const run = play(workflow)
    edited(run, 'pb/a.js')
    expect(run.notices).toEqual([
      '[STATEWRIGHT INTERRUPT] pb/a.js was changed and matches hooks (pb/**/*.js). ' +
        'The run moved from plan to check. Tools: Read, Edit. Run the hooks. ' +
        'To return to plan, send OK.',
    ])
    expect(run.last.entries).toMatchObject([
      { type: 'call_finished' },
      { type: 'interrupted', name: 'hooks', file: 'pb/a.js', from: 'plan', to: 'check' },
    ])
  })

  test('WF-28: the tools change at once', () => {
    const run = play(workflow)
    expect(run.bash('ls')).toBe('allow')
    edited(run, 'pb/a.js')
    expect(run.bash('ls')).toBe('tool_not_allowed')
  })

  test('WF-28: a shell write fires only where the trigger says so', () => {
    const run = play(workflow)
    run.bash('echo 1 > pb/a.js')
    run.result(run.call)
    expect(run.state).toBe('plan')
    run.bash('echo 1 > a.sql')
    run.result(run.call)
    expect(run.state).toBe('check')
  })

  test('WF-28: a failed edit changed nothing, and fires nothing', () => {
    const run = play(workflow)
    run.edit('pb/a.js')
    run.result(run.call, { exit: 'failure' })
    expect([run.state, run.notices]).toEqual(['plan', []])
  })

  test('WF-28: a denied edit fires nothing', () => {
    const run = play(workflow.replace('plan: {', 'plan: {allowed_tools: [Read], '))
    expect(run.edit('pb/a.js')).toBe('tool_not_allowed')
    run.tool('Read')
    expect(run.state).toBe('plan')
  })

  test('WF-21a: an interrupt is no transition of the agent', () => {
    const run = play(workflow)
    edited(run, 'pb/a.js')
    expect(run.run.transitionCount).toBe(0)
  })
})

describe('an edit whose result never comes', () => {
  test('WF-28: it counts as done when its caller calls again', () => {
    const run = play(workflow)
    run.edit('pb/a.js')
    expect(run.bash('ls')).toBe('tool_not_allowed')
    expect(run.state).toBe('check')
    expect(run.notices[0]).toContain('[STATEWRIGHT INTERRUPT] pb/a.js')
    expect(run.left).toEqual(['interrupted', 'call_decided'])
  })

  test('WF-28: a call of our own tools is a call as well', () => {
    const run = play(workflow)
    run.edit('pb/a.js')
    run.tool('statewright_get_state', { toUs: true })
    expect(run.state).toBe('check')
    expect(run.notices.length).toBe(1)
  })

  test('WF-28: an event is a call as well: the detour comes first and takes its place', () => {
    const run = play(workflow)
    run.edit('pb/a.js')
    expect(run.send('DONE', { a: 1 })).toBe('ok')
    expect([run.state, run.status]).toEqual(['check', 'running'])
    expect(run.last.answer).toMatchObject({ type: 'moved', from: 'plan', to: 'check' })
    expect(run.last.answer).toHaveProperty(
      'warning',
      expect.stringContaining('[STATEWRIGHT INTERRUPT]'),
    )
    expect(run.context).toEqual({})
    run.send('OK')
    expect(run.send('DONE')).toBe('ok')
    expect(run.status).toBe('completed')
  })

  test('WF-22, WF-28: nor does an approval carry the run past it', () => {
    const asked = workflow
      .replace('meta: {', 'meta: {approval_mode: ui, ')
      .replace('DONE: done}', 'DONE: {target: done, requires_approval: true}}')
    const run = play(asked)
    expect(run.send('DONE')).toBe('pending')
    run.edit('pb/a.js')
    expect(run.resolve('approve')).toBe('approval_withdrawn')
    expect([run.state, run.status]).toEqual(['check', 'running'])
    expect(run.left).toEqual(['approval_resolved', 'interrupted'])
    expect(run.last.actions).toEqual([
      { type: 'close_approval', approvalId: 'ask1001', verdict: 'withdrawn' },
    ])
  })

  test('WF-28: its late result fires nothing a second time', () => {
    const run = play(workflow)
    run.edit('pb/a.js')
    run.tool('Read')
    run.send('OK')
    expect(run.result('c1')).toBe('ok')
    expect(run.state).toBe('plan')
  })

  test('WF-28: another caller does not finish it', () => {
    const run = play(workflow)
    run.edit('pb/a.js')
    expect(run.tool('Read', { by: worker('other') })).toBe('allow')
    expect(run.state).toBe('plan')
    run.result('c1')
    expect(run.state).toBe('check')
  })

  test('WF-27, WF-28: pausing does not lose it', () => {
    const run = play(workflow)
    run.edit('pb/a.js')
    run.pause()
    run.tool('Read')
    run.resume()
    run.tool('Read')
    expect(run.state).toBe('check')
  })

  test('WF-28: an edit that matches nothing stays open and holds nothing up', () => {
    const run = play(workflow)
    run.edit('src/a.ts')
    expect(run.tool('process_state', { toUs: true })).toBe('allow')
    expect(run.send('GO')).toBe('ok')
    expect(run.state).toBe('impl')
  })
})

describe('inside and after the handler', () => {
  test('WF-29: no second interrupt while the handler is active', () => {
    const run = play(workflow)
    edited(run, 'pb/a.js')
    edited(run, 'pb/b.js')
    edited(run, 'c.js')
    expect([run.state, run.frame().interrupt?.file]).toEqual(['check', 'pb/a.js'])
    run.send('OK')
    expect(run.state).toBe('plan')
    edited(run, 'pb/b.js')
    expect(run.state).toBe('check')
  })

  test('WF-29: $return leads to the interrupted state, whose counters go on', () => {
    const run = play(workflow)
    run.send('GO')
    run.tool('Read')
    edited(run, 'pb/a.js')
    expect(run.frame().counters.iterations).toBe(0)
    run.tool('Read')
    run.send('OK')
    expect(run.state).toBe('impl')
    expect(run.frame().counters).toMatchObject({ iterations: 2, files: ['pb/a.js'] })
    expect(run.left).toEqual(['transitioned', 'returned'])
    expect(run.last.entries[0]).toMatchObject({ from: 'check', to: 'impl', event: 'OK' })
  })

  test('WF-8a, WF-29: returning does not refill what was used up', () => {
    const run = play(workflow)
    run.send('GO')
    for (let count = 0; count < 4; count++) run.tool('Read')
    edited(run, 'pb/a.js')
    run.send('OK')
    expect(run.tool('Read')).toBe('iterations_exhausted')
  })

  test('WF-29: the detour lives on in a state that offers $return as well', () => {
    const run = play(workflow)
    edited(run, 'pb/a.js')
    run.send('MORE')
    expect(run.frame().interrupt?.returnTo).toBe('plan')
    edited(run, 'pb/b.js')
    expect(run.state).toBe('deeper')
    run.send('OK')
    expect([run.state, run.frame().interrupt]).toEqual(['plan', null])
  })

  test('WF-29: a move to a state without $return ends it, and interrupts fire again', () => {
    const run = play(workflow)
    edited(run, 'pb/a.js')
    run.send('FAIL')
    expect([run.state, run.frame().interrupt]).toEqual(['repair', null])
    edited(run, 'pb/a.js')
    expect([run.state, run.frame().interrupt?.returnTo]).toEqual(['check', 'repair'])
  })

  test('WF-29: $return without an interrupt is refused', () => {
    const run = play(workflow)
    run.force('check')
    expect(run.send('OK')).toBe('no_return')
    run.force('lint')
    expect(run.send('OK')).toBe('no_return')
  })

  test('WF-26: force ends the detour', () => {
    const run = play(workflow)
    edited(run, 'pb/a.js')
    run.force('check')
    expect(run.frame().interrupt).toBeNull()
    expect(run.send('OK')).toBe('no_return')
  })

  test('WF-28: after the end nothing fires', () => {
    const run = play(workflow)
    run.edit('pb/a.js', { by: worker('late') })
    run.send('DONE')
    expect(run.status).toBe('completed')
    expect(run.result('c1')).toBe('ok')
    expect(run.notices).toEqual([])
  })
})

describe('interrupts beside a fork', () => {
  const forked = `
id: w
initial: start
interrupts: {js: {trigger: {file_pattern: "*.js"}, target: check}}
states:
  start: {on: {FORK: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1,
      terminal: b2}}, on_complete: after}}}}
  a1: {on: {GO: a2}}
  a2: {type: final}
  b1: {on: {GO: b2}}
  b2: {type: final}
  check: {on: {OK: $return}}
  after: {on: {END: done}}
  done: {type: final}
`
  test('WF-24a: an interrupt in a branch belongs to that branch', () => {
    const run = play(forked)
    run.send('FORK')
    run.bind('a', worker('wa'))
    run.bind('b', worker('wb'))
    run.edit('x.js', { by: worker('wa') })
    run.result(run.call)
    expect(run.branches).toEqual({ a: 'running check', b: 'running b1' })
    run.edit('y.js', { by: worker('wb') })
    run.result(run.call)
    expect(run.branches).toEqual({ a: 'running check', b: 'running check' })
    run.send('OK', undefined, { by: worker('wa') })
    expect(run.branches).toEqual({ a: 'running a1', b: 'running check' })
  })

  test('WF-28: an edit held back over the end of its branch is not lost at the join', () => {
    const run = play(forked)
    run.send('FORK')
    run.edit('x.js')
    expect(run.send('BRANCH_DONE:a')).toBe('ok')
    expect(run.branches).toEqual({ a: 'running check', b: 'pending b1' })
    run.send('OK')
    run.send('GO')
    expect(run.branches).toEqual({ a: 'completed a2', b: 'running b1' })
  })

  test('WF-28: a late result does not move the run that stands still behind the fork', () => {
    const run = play(forked)
    run.edit('x.js', { by: worker('other') })
    run.send('FORK')
    run.result('c1')
    expect(run.state).toBe('start')
    expect(run.branches).toEqual({ a: 'running check', b: 'pending b1' })
  })
})
