import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agent, type Play, play, rows } from '../../packages/core/src/reduce/play.test-kit.ts'
import { brief } from '../../packages/core/src/view/brief.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const complete = JSON.parse(read('complete.json'))
const fragments = JSON.parse(read('fragments.json'))

/** A fragment made whole: an id, where it starts, and an end for every name it leaves open. */
function whole(name: string, initial: string, ends: readonly string[], more = {}): Play {
  const fragment = fragments[name]
  const open = Object.fromEntries(ends.map((end) => [end, { type: 'final' }]))
  return play({
    id: 'whole',
    initial,
    ...fragment,
    states: { ...fragment.states, ...open },
    ...more,
  })
}

describe('guard timing, step by step', () => {
  const start = () =>
    whole('guard timing', 'implementing', ['pre_deploy'], { context: { test_result: null } })

  test('WF-17: set in one transition, checked in the next', () => {
    const run = start()
    expect(run.send('TESTS_GREEN', { test_result: 'pass' })).toBe('ok')
    expect([run.state, run.context.test_result]).toEqual(['refactoring', 'pass'])
    expect(run.send('CLEAN')).toBe('ok')
    expect(run.state).toBe('pre_deploy')
  })

  test('WF-17: an agent that claims the result in the same call stays where it is', () => {
    const run = start()
    run.send('TESTS_GREEN')
    expect(run.send('CLEAN', { test_result: 'pass' })).toBe('guard_failed')
    expect([run.state, run.context.test_result]).toEqual(['refactoring', null])
  })

  test('WF-16: there is no way to jump straight to CLEAN', () => {
    const run = start()
    expect(run.send('CLEAN', { test_result: 'pass' })).toBe('unknown_event')
    expect(run.state).toBe('implementing')
  })
})

describe('core concepts', () => {
  test('WF-13: what the agent sees on every turn', () => {
    const run = play(`
id: w
initial: testing
states:
  testing:
    allowed_tools: [Read, Bash]
    instructions: Run the test suite.
    on: {DEPLOY: deploying, FAIL: failed}
  deploying: {type: final}
  failed: {type: final}
`)
    expect(brief(run.program, run.run, agent)).toBe(
      'Phase: testing. Tools: Read, Bash.\n' +
        'Transitions: DEPLOY -> deploying, FAIL -> failed.\n' +
        'Instructions: Run the test suite.',
    )
  })

  test('WF-17: data merges into the context that the workflow began with', () => {
    const run = play({
      id: 'w',
      initial: 'testing',
      ...fragments.context,
      states: { testing: { on: { TEST_DONE: 'end' } }, end: { type: 'final' } },
    })
    run.send('TEST_DONE', { test_result: 'pass', attempts: 1 })
    expect(run.context).toEqual({ test_result: 'pass', attempts: 1 })
  })

  test('WF-21: the rationale is in the history', () => {
    const run = whole('states', 'planning', ['implementing', 'failed'])
    run.send('READY', { rationale: 'Bug found in line 42' })
    expect(run.last.entries[0]).toMatchObject({ rationale: 'Bug found in line 42' })
  })

  test('WF-8: after ten calls the agent must transition', () => {
    const run = whole('max_iterations', 'planning', ['implementing'])
    for (let call = 1; call <= 10; call++) expect(run.tool('Read')).toBe('allow')
    expect(run.tool('Read')).toBe('iterations_exhausted')
    expect(run.send('READY')).toBe('ok')
    expect(run.tool('Read')).toBe('allow')
  })

  test('WF-16: GO has no definition, so safe_next catches it; FAIL is unaffected', () => {
    const run = whole('safe_next', 'planning', ['implementing', 'failed'])
    expect(run.send('GO')).toBe('ok')
    expect(run.state).toBe('implementing')
    const failed = whole('safe_next', 'planning', ['implementing', 'failed'])
    failed.send('FAIL')
    expect(failed.status).toBe('failed')
    const without = whole('max_iterations', 'planning', ['implementing'])
    expect(without.send('GO')).toBe('unknown_event')
  })

  const commands = rows<'rule' | 'command' | 'answer'>(`
    rule   command            answer
    WF-12  pytest -v tests/   allow
    WF-12  npm test           allow
    WF-12  npm test -- -w     allow
    WF-12  cargo test         allow
    WF-12  rm -rf /           command_not_allowed
    WF-12  git push           command_not_allowed
    WF-12  npm publish        command_not_allowed
    WF-12  pytestx            command_not_allowed
  `)
  test.each(commands)('$rule: with allowed_commands, `$command` is $answer', (row) => {
    const run = whole('allowed_commands', 'testing', ['complete', 'debugging'])
    expect(run.bash(row.command)).toBe(row.answer)
  })

  test('WF-12: a blocked variable cannot be read, an overridden one is told', () => {
    const run = whole('blocked_env and env_overrides', 'staging', ['complete'])
    expect(run.bash('echo $PROD_DB_URL')).toBe('env_blocked')
    expect(run.bash('printenv')).toBe('env_blocked')
    expect(run.bash('echo $HOME')).toBe('allow')
    expect(brief(run.program, run.run, agent, { tellOverrides: true })).toContain(
      'Set in the environment: NODE_ENV=staging, DATABASE_URL=(hidden).',
    )
  })

  test('WF-9, WF-10: three files, twenty lines each', () => {
    const run = whole('max_edit_lines and max_files_per_state', 'implementing', ['testing'])
    expect(run.edit('a.ts', { lines: 20 })).toBe('allow')
    expect(run.edit('a.ts', { lines: 21 })).toBe('edit_too_large')
    expect([run.edit('b.ts'), run.edit('c.ts'), run.edit('d.ts'), run.edit('a.ts')]).toEqual([
      'allow',
      'allow',
      'too_many_files',
      'allow',
    ])
  })

  test('WF-11: fifty thousand bytes of results', () => {
    const run = whole('context_budget_bytes', 'analysis', ['implementing'])
    run.tool('Read')
    run.result(run.call, { bytes: 49_999 })
    expect(run.notices.length).toBe(1)
    run.tool('Read')
    run.result(run.call, { bytes: 1 })
    expect(run.tool('Read')).toBe('context_budget_exhausted')
  })
})

describe('the interrupt table', () => {
  const start = () => whole('interrupts', 'implementing', ['testing', 'failed'])
  const file = 'site/pb/hooks/auth.pb.js'
  const change = (run: Play, path: string, tool = 'Edit') => {
    run.tool(tool, { edits: [{ path, op: 'edit', lines: 1 }] })
    run.result(run.call)
  }

  test('WF-28: fires when Edit or Write changes a matching file, and changes the tools', () => {
    for (const tool of ['Edit', 'Write']) {
      const run = start()
      change(run, file, tool)
      expect(run.state).toBe('pb_validating')
      expect(run.bash('task test:hooks')).toBe('allow')
      expect(run.bash('node -e 1')).not.toBe('allow')
      expect(run.tool('Write', { edits: [{ path: 'x', op: 'create', lines: 1 }] })).toBe(
        'tool_not_allowed',
      )
    }
  })

  test('WF-28: shell writes do not fire it', () => {
    const run = start()
    expect(run.bash(`echo 1 > ${file}`)).toBe('allow')
    run.result(run.call)
    expect(run.bash(`sed -i s/a/b/ ${file}`)).toBe('allow')
    run.result(run.call)
    expect(run.state).toBe('implementing')
  })

  test('WF-29: re-entrancy is suppressed until $return', () => {
    const run = start()
    change(run, file)
    change(run, 'site/pb/other.js')
    expect([run.state, run.frame().interrupt?.file]).toEqual(['pb_validating', file])
    run.send('VALIDATED')
    expect(run.state).toBe('implementing')
    change(run, 'site/pb/other.js')
    expect(run.state).toBe('pb_validating')
  })

  test('WF-28: the tool result includes the notice', () => {
    const run = start()
    change(run, file)
    expect(run.notices[0]).toMatch(/^\[STATEWRIGHT INTERRUPT\] /)
    for (const part of [file, 'implementing', 'pb_validating', 'VALIDATED']) {
      expect(run.notices[0]).toContain(part)
    }
  })

  test('WF-29: $return mixes with regular targets, and is an error without an interrupt', () => {
    const run = start()
    change(run, file)
    run.send('FAIL')
    expect(run.status).toBe('failed')
    const forced = whole('interrupts', 'pb_validating', ['testing', 'failed'])
    expect(forced.send('VALIDATED')).toBe('no_return')
  })
})

describe('the complete reference example', () => {
  const start = (meta = {}) => play({ ...complete, meta: { ...complete.meta, ...meta } })
  const at: Record<string, (run: Play) => void> = {
    planning: () => {},
    testing: (run) => run.send('READY'),
    fixing: (run) => {
      run.send('READY', { test_result: 'fail' })
      run.send('EVALUATE')
    },
    deploying: (run) => {
      run.send('READY', { test_result: 'pass' })
      run.send('EVALUATE')
    },
  }
  const table = rows<'rule' | 'state' | 'call' | 'answer'>(`
    rule   state      call                          answer
    WF-6   planning   Read                          allow
    WF-6   planning   Grep                          allow
    WF-6   planning   Glob                          allow
    WF-6   planning   Bash ls                       tool_not_allowed
    WF-6   planning   Edit 1                        tool_not_allowed
    WF-6   testing    Read                          allow
    WF-6   testing    Grep                          tool_not_allowed
    WF-12  testing    Bash npm test                 allow
    WF-12  testing    Bash npm test > result.txt    shell_write
    WF-12  testing    Bash kubectl apply            command_not_allowed
    WF-12  testing    Bash echo $PROD_DB_URL        env_blocked
    WF-6   fixing     Edit 20                       allow
    WF-9   fixing     Edit 21                       edit_too_large
    WF-6   fixing     Bash npm test                 tool_not_allowed
    WF-12  deploying  Bash kubectl get pods         allow
    WF-12  deploying  Bash helm list                allow
    WF-12  deploying  Bash npm test                 command_not_allowed
    WF-6   deploying  Read                          tool_not_allowed
  `)
  test.each(table)('$rule: in $state, $call is $answer', ({ state, call, answer }) => {
    const run = start()
    at[state]?.(run)
    expect(run.state).toBe(state)
    const [tool = '', ...rest] = call.split(' ')
    const output =
      tool === 'Bash'
        ? run.bash(rest.join(' '))
        : tool === 'Edit'
          ? run.edit('src/a.ts', { lines: Number(rest[0]) })
          : run.tool(tool)
    expect(output).toBe(answer)
  })

  const evaluated = rows<'rule' | 'result' | 'state'>(`
    rule   result   state
    WF-19  pass     deploying
    WF-19  fail     fixing
    WF-19  unknown  failed
  `)
  test.each(evaluated)('$rule: EVALUATE with $result leads to $state', ({ result, state }) => {
    const run = start()
    run.send('READY', { test_result: result })
    run.send('EVALUATE', { test_result: 'pass' })
    expect(run.state).toBe(state)
  })

  test('WF-8, WF-16, WF-10: the limits and the fallback of each state', () => {
    const run = start()
    for (let call = 0; call < 10; call++) expect(run.tool('Read')).toBe('allow')
    expect(run.tool('Read')).toBe('iterations_exhausted')
    expect(run.send('WHATEVER', { test_result: 'fail' })).toBe('ok')
    expect(run.state).toBe('testing')
    for (let call = 0; call < 15; call++) expect(run.tool('Read')).toBe('allow')
    expect(run.tool('Read')).toBe('iterations_exhausted')
    run.send('EVALUATE')
    for (const path of ['a', 'b', 'c', 'a']) expect(run.edit(path)).toBe('allow')
    expect(run.edit('d')).toBe('too_many_files')
    run.send('DONE')
    expect(run.tool('Read')).toBe('allow')
  })

  test('WF-22: the approval is advice as written, and waits with approval_mode ui', () => {
    const advised = start()
    at.deploying?.(advised)
    advised.send('DONE')
    expect(advised.status).toBe('completed')
    expect(advised.last.entries[0]).toMatchObject({
      advice: 'Deployment finished. Approve to mark complete?',
    })
    const waiting = start({ approval_mode: 'ui' })
    at.deploying?.(waiting)
    expect(waiting.send('DONE')).toBe('pending')
    expect(waiting.send('FAIL')).toBe('approval_pending')
    expect(waiting.resolve('reject')).toBe('approval_rejected')
    expect(waiting.state).toBe('deploying')
    waiting.send('DONE')
    expect(waiting.resolve('approve')).toBe('ok')
    expect([waiting.state, waiting.status]).toEqual(['complete', 'completed'])
    expect(waiting.bash('rm -rf x')).toBe('allow')
  })
})

describe('operations', () => {
  test('WF-27: pause saves, deactivates, and resume restores with iterations at zero', () => {
    const run = play(complete)
    run.send('READY', { test_result: 'pass' })
    run.tool('Read')
    run.pause()
    expect([run.status, run.tool('Write')]).toEqual(['paused', 'allow'])
    run.resume()
    expect([run.status, run.state, run.run.transitionCount]).toEqual(['running', 'testing', 1])
    expect([run.context.test_result, run.frame().counters.iterations]).toEqual(['pass', 0])
  })

  test('WF-26: force needs debug, jumps anywhere and patches the context', () => {
    expect(play(complete).force('deploying')).toBe('not_debug')
    const run = play({ ...complete, meta: { debug: true } })
    expect(run.force('deploying', { test_result: 'pass', build_ok: true })).toBe('ok')
    expect(run.state).toBe('deploying')
    expect(run.context).toEqual({
      test_result: 'pass',
      coverage: 0,
      approved: false,
      build_ok: true,
    })
  })
})
