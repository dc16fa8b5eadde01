import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { asItIs } from '../run/run-plan.ts'
import { analyzeShell } from '../shell/analyze.ts'
import { play, rows } from './play.test-kit.ts'

const workflow = `
id: w
initial: open
states:
  open: {on: {PLAN: plan}}
  closed: {allowed_tools: [], on: {PLAN: plan}}
  plan: {allowed_tools: [Read, Grep, mcp__github__*, "Bash(git log *)"], on: {SHUT: closed,
      GO: impl}}
  impl: {allowed_tools: [Read, Edit, Write, Bash], on: {PLAN: plan, GO: few}}
  few:
    allowed_tools: [Read, Edit, Write, Bash]
    max_iterations: 3
    max_edit_lines: 10
    max_files_per_state: 2
    context_budget_bytes: 100
    on: {AGAIN: few, PLAN: plan, END: done}
  done: {type: final}
`

describe('which tools pass the list of a state', () => {
  const table = rows<'rule' | 'way' | 'tool' | 'answer'>(`
    rule   way        tool                    answer
    WF-5   -          Read                    allow
    WF-5   -          anything_at_all         allow
    WF-5   PLAN,SHUT  Read                    tool_not_allowed
    WF-6   PLAN       Read                    allow
    WF-6   PLAN       read_file               allow
    WF-6   PLAN       Edit                    tool_not_allowed
    WF-6   PLAN       READ                    tool_not_allowed
    WF-6   PLAN       Readx                   tool_not_allowed
    WF-6   PLAN       mcp__github__list       allow
    WF-6   PLAN       mcp__github2__list      tool_not_allowed
    WF-6   PLAN       mcp__evil__Read         tool_not_allowed
    WF-6   PLAN       constructor             tool_not_allowed
    WF-7   PLAN       statewright_transition  tool_not_allowed
  `)
  test.each(table)('$rule: after $way, $tool is $answer', ({ way, tool, answer }) => {
    const run = play(workflow)
    for (const event of way === '-' ? [] : way.split(',')) run.send(event)
    expect(run.tool(tool)).toBe(answer)
  })

  test('WF-5: strict mode takes an omitted list for an empty one', () => {
    const run = play(workflow, { strict: true })
    expect(run.tool('Read')).toBe('tool_not_allowed')
    expect(run.bash('ls')).toBe('tool_not_allowed')
    run.send('PLAN')
    expect(run.tool('Read')).toBe('allow')
  })

  test('WF-6: a command pattern opens the shell for that command alone', () => {
    const run = play(workflow)
    run.send('PLAN')
    expect(run.bash('git log --oneline')).toBe('allow')
    expect(run.bash('git log')).toBe('allow')
    expect(run.bash('git push')).toBe('command_not_allowed')
    expect(run.bash('git log; rm -rf x')).not.toBe('allow')
  })

  test('WF-6: a patch is judged by what it does', () => {
    const run = play('id: w\ninitial: a\nstates: {a: {allowed_tools: [Edit]}, z: {type: final}}')
    const patch = (op: 'edit' | 'create' | 'delete' | 'move') =>
      run.tool('apply_patch', { edits: [{ path: 'a.ts', op, lines: 1 }] })
    expect([patch('edit'), patch('create'), patch('delete'), patch('move')]).toEqual([
      'allow',
      'tool_not_allowed',
      'tool_not_allowed',
      'tool_not_allowed',
    ])
  })

  test('WF-6: a server tool that calls itself Edit is no Edit, whatever it brings along', () => {
    const run = play('id: w\ninitial: a\nstates: {a: {allowed_tools: [Edit]}, z: {type: final}}')
    const edits = [{ path: 'a.ts', op: 'edit', lines: 1 }] as const
    expect(run.tool('mcp__evil__Edit', { edits })).toBe('tool_not_allowed')
    expect(run.tool('Edit', { server: 'evil', edits })).toBe('tool_not_allowed')
  })

  test('WF-7: our own tools pass everywhere, but only when they come to us', () => {
    const run = play(workflow)
    run.send('PLAN')
    run.send('SHUT')
    expect(run.tool('statewright_transition', { toUs: true })).toBe('allow')
    expect(run.left).toEqual([])
    expect(run.tool('statewright_transition')).toBe('tool_not_allowed')
    expect(run.tool('my_statewright_transition', { toUs: true })).toBe('tool_not_allowed')
    expect(run.tool('statewright_transition', { toUs: true, server: 'evil' })).toBe(
      'tool_not_allowed',
    )
  })

  test('WF-7, WF-8a: our own tools count as no call', () => {
    const run = few()
    for (let count = 0; count < 5; count++) run.tool('process_state', { toUs: true })
    expect(run.frame().counters.iterations).toBe(0)
  })
})

function few() {
  const run = play(workflow)
  for (const event of ['PLAN', 'GO', 'GO']) run.send(event)
  expect(run.state).toBe('few')
  return run
}

describe('what a state limits', () => {
  test('WF-8: the call after the last one is denied until a transition', () => {
    const run = few()
    expect([1, 2, 3, 4, 5].map(() => run.tool('Read'))).toEqual([
      'allow',
      'allow',
      'allow',
      'iterations_exhausted',
      'iterations_exhausted',
    ])
    expect(run.frame().counters.iterations).toBe(3)
    expect(run.send('AGAIN')).toBe('ok')
    expect(run.tool('Read')).toBe('allow')
  })

  test('WF-8: a denied call counts nothing', () => {
    const run = few()
    run.tool('WebFetch')
    run.edit('a.ts', { lines: 11 })
    expect(run.frame().counters).toMatchObject({ iterations: 0, bytes: 0, files: [] })
  })

  test('WF-8a: entering a state resets calls, files and bytes together', () => {
    const run = few()
    run.edit('a.ts')
    run.result(run.call, { bytes: 40 })
    expect(run.frame().counters).toMatchObject({ iterations: 1, bytes: 40, files: ['a.ts'] })
    run.send('AGAIN')
    expect(run.frame().counters).toMatchObject({ iterations: 0, bytes: 0, files: [] })
  })

  test('WF-9: an edit is held against the larger side of one operation', () => {
    const run = few()
    expect(run.edit('a.ts', { lines: 10 })).toBe('allow')
    expect(run.edit('a.ts', { lines: 11 })).toBe('edit_too_large')
  })

  test('WF-9a: one operation of many may be too large, and each is named', () => {
    const run = few()
    const edits = [
      { path: 'a.ts', op: 'edit', lines: 10 },
      { path: 'b.ts', op: 'edit', lines: 12 },
    ] as const
    expect(run.tool('apply_patch', { edits })).toBe('edit_too_large')
    expect(reasons(run)).toEqual(['edit_too_large states.few.max_edit_lines'])
  })

  test('WF-9: an edit that cannot be read is denied where edits matter', () => {
    const run = few()
    expect(run.tool('Edit', { unreadable: { phrase: 'edit_holds_no_patch' } })).toBe(
      'edit_unreadable',
    )
    expect(play(workflow).tool('Edit', { unreadable: { phrase: 'edit_holds_no_patch' } })).toBe(
      'allow',
    )
  })

  test('WF-10: files count once, patches count each file', () => {
    const run = few()
    expect(run.edit('a.ts')).toBe('allow')
    expect(run.edit('a.ts')).toBe('allow')
    const two = ['b.ts', 'c.ts'].map((path) => ({ path, op: 'edit', lines: 1 }) as const)
    expect(run.tool('apply_patch', { edits: two })).toBe('too_many_files')
    expect(run.edit('b.ts')).toBe('allow')
    run.send('AGAIN')
    expect(run.edit('c.ts')).toBe('allow')
  })

  test('WF-10: files that the shell visibly writes count as well', () => {
    const run = few()
    expect(run.bash('echo 1 > a; echo 2 > b')).toBe('allow')
    expect(run.frame().counters.files).toEqual(['a', 'b'])
    expect(run.bash('echo 3 > c')).toBe('too_many_files')
  })

  test('WF-10: without a limit the number of files is bounded all the same', () => {
    const run = play('id: w\ninitial: a\nstates: {a: {}, z: {type: final}}')
    const edits = Array.from({ length: limits.filesPerState + 1 }, (_, index) => ({
      path: `f${index}`,
      op: 'edit' as const,
      lines: 1,
    }))
    expect(run.tool('Edit', { edits })).toBe('too_many_files')
  })

  test('WF-11: a notice at 90 percent, and no more calls at the cap', () => {
    const run = few()
    run.tool('Read')
    run.result(run.call, { bytes: 89 })
    expect(run.notices).toEqual([])
    run.tool('Read')
    run.result(run.call, { bytes: 1 })
    expect(run.notices).toEqual([
      'Tool results in few have used 90 of 100 bytes. Send an event before the budget runs out.',
    ])
    run.tool('Read')
    run.result(run.call, { bytes: 10 })
    expect(run.notices).toEqual([])
    expect(run.tool('Read')).toBe('iterations_exhausted')
    expect(reasons(run)).toEqual([
      'iterations_exhausted states.few.max_iterations',
      'context_budget_exhausted states.few.context_budget_bytes',
    ])
    expect(run.send('AGAIN')).toBe('ok')
    expect(run.tool('Read')).toBe('allow')
  })

  test('WF-12: the shell is held to what the state may write', () => {
    const run = play(`
id: w
initial: a
states: {a: {allowed_tools: [Bash], allowed_commands: [npm test]}, z: {type: final}}
`)
    expect(run.bash('npm test')).toBe('allow')
    expect(run.bash('npm test > out')).not.toBe('allow')
    expect(run.bash('ls')).toBe('command_not_allowed')
    expect(run.tool('Bash')).toBe('shell_unreadable')
    expect(run.bash('npm test', { background: true })).toBe('shell_background')
  })
})

function reasons(run: ReturnType<typeof play>): string[] {
  const { answer } = run.last
  if (answer.type !== 'decided') return []
  return answer.decision.reasons.map(({ code, path }) => `${code} ${path}`)
}

describe('what a denial tells', () => {
  test('WF-14: code, sentence, what is allowed, where events lead, and the way to the tool', () => {
    const run = play(workflow)
    run.send('PLAN')
    run.send('SHUT')
    expect(run.edit('a.ts')).toBe('tool_not_allowed')
    expect(run.last.answer).toEqual({
      type: 'decided',
      notices: [],
      decision: {
        kind: 'deny',
        code: 'tool_not_allowed',
        message: 'Edit may not be used in closed. Allowed: none.',
        reasons: [
          {
            code: 'tool_not_allowed',
            message: 'Edit may not be used in closed. Allowed: none.',
            path: 'states.closed.allowed_tools',
          },
        ],
        allowedTools: [],
        events: [{ event: 'PLAN', target: 'plan' }],
        way: [
          { event: 'PLAN', target: 'plan' },
          { event: 'GO', target: 'impl' },
        ],
        asks: [],
        takes: [],
        plan: asItIs,
      },
    })
  })

  test('WF-14: where no state has the tool there is no way', () => {
    const run = play('id: w\ninitial: a\nstates: {a: {allowed_tools: [Read]}, z: {type: final}}')
    run.edit('a.ts')
    expect(run.last.answer).not.toHaveProperty('decision.way')
  })

  test('WF-14: in strict mode a state without a list is no way to a tool', () => {
    const text = 'id: w\ninitial: a\nstates: {a: {allowed_tools: [], on: {GO: b}}, b: {}}'
    const loose = play(text)
    loose.tool('Read')
    expect(loose.last.answer).toHaveProperty('decision.way', [{ event: 'GO', target: 'b' }])
    const strict = play(text, { strict: true })
    strict.tool('Read')
    expect(strict.last.answer).not.toHaveProperty('decision.way')
  })

  test('WF-14a: of many reasons the gravest is on top, and all are kept in order', () => {
    const run = few()
    for (let count = 0; count < 3; count++) run.tool('Read')
    run.result('c1', { bytes: 100 })
    const external = [
      {
        source: 'role',
        kind: 'deny',
        reasons: [
          { code: 'policy_denied', message: { phrase: 'policy_unmatched' }, path: 'deny.0' },
        ],
      },
      {
        source: 'guard',
        kind: 'deny',
        reasons: [{ code: 'self_protection', message: { phrase: 'own_data' }, path: '' }],
      },
    ] as const
    const edits = ['a', 'b', 'c'].map((path) => ({ path, op: 'create', lines: 20 }) as const)
    expect(run.tool('NotebookEdit', { edits, more: { external } })).toBe('self_protection')
    expect(reasons(run).map((reason) => reason.split(' ')[0])).toEqual([
      'self_protection',
      'tool_not_allowed',
      'iterations_exhausted',
      'context_budget_exhausted',
      'edit_too_large',
      'edit_too_large',
      'edit_too_large',
      'too_many_files',
      'policy_denied',
    ])
  })

  test('WF-14a: a shell rule ranks under the tool list and over a policy', () => {
    const run = play(`
id: w
initial: a
policy: {role: agent, deny: [{capability: bash}]}
states: {a: {allowed_tools: [Bash], allowed_commands: [ls]}, z: {type: final}}`)
    expect(run.bash('rm x')).toBe('command_not_allowed')
    expect(reasons(run).at(-1)).toBe('policy_denied policy.deny.0')
    expect(run.bash('ls')).toBe('policy_denied')
  })
})

describe('the end of a run', () => {
  const ends = rows<'rule' | 'state' | 'status'>(`
    rule   state                                   status
    WF-15  done: {type: final}                     completed
    WF-15  Failed: {type: final}                   failed
    WF-15  cancelled: {type: final}                failed
    WF-15  aborted: {type: final}                  failed
    WF-15  failed: {type: final, outcome: success}  completed
    WF-15  good: {type: final, outcome: failure}  failed
  `)
  test.each(ends)('$rule: reaching $state ends the run $status', ({ state, status }) => {
    const [name] = state.split(':')
    const run = play(
      `id: w\ninitial: a\nstates: {a: {allowed_tools: [], on: {END: ${name}}}, ${state}}`,
    )
    expect(run.tool('Read')).toBe('tool_not_allowed')
    run.send('END')
    expect(run.status).toBe(status)
    expect(run.left).toEqual(['transitioned', 'run_ended'])
    expect(run.last.actions).toEqual([{ type: 'end_run', status }])
    expect(run.tool('Read')).toBe('allow')
  })

  test('WF-15a: after the end a policy of the role still holds', () => {
    const run = play('id: w\ninitial: a\nstates: {a: {type: final}}')
    const external = [
      {
        source: 'role',
        kind: 'deny',
        reasons: [{ code: 'policy_denied', message: { phrase: 'policy_unmatched' }, path: '' }],
      },
    ] as const
    expect(run.tool('Read')).toBe('allow')
    expect(run.tool('Read', { more: { external } })).toBe('policy_denied')
  })

  test('WF-15a: in strict mode no active run means no tools', () => {
    const run = play('id: w\ninitial: a\nstates: {a: {type: final}}', { strict: true })
    expect(run.tool('Read')).toBe('no_active_run')
    expect(run.tool('statewright_get_state', { toUs: true })).toBe('allow')
  })

  test('WF-15a: a stopped run restricts nothing', () => {
    const run = play(workflow)
    run.send('PLAN')
    expect(run.tool('Edit', { shell: analyzeShell('x') })).toBe('tool_not_allowed')
    run.stop()
    expect(run.status).toBe('stopped')
    expect(run.edit('a.ts')).toBe('allow')
  })
})
