import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { agent, play, worker } from '../reduce/play.test-kit.ts'
import { brief, looksSecret } from './brief.ts'

const workflow = `
id: w
initial: testing
meta: {approval_mode: ui}
guards: {passed: {field: test_result, op: eq, value: pass}, review: {field: review_id, op: exists}}
interrupts: {js: {trigger: {file_pattern: "*.js"}, target: check}}
states:
  testing:
    allowed_tools: [Read, Bash]
    allowed_commands: [npm test, "git commit"]
    blocked_env: [PROD_DB_URL]
    env_overrides: {NODE_ENV: test, API_KEY: abc123, DATABASE_URL: "postgres://u:p@h/d",
        GREETING: hi}
    instructions: Run the test suite.
    max_iterations: 5
    max_edit_lines: 20
    max_files_per_state: 3
    context_budget_bytes: 1000
    on:
      DEPLOY: {target: deploying, guards: [passed, review], requires_approval: true,
          approval_message: Now?}
      PICK: [{target: deploying, guard: passed}, {target: testing}]
      FORK: {fork: {branches: {l: {initial: l1, terminal: l2}, r: {initial: r1, terminal: r2}},
          on_complete: deploying}}
      SUB: {invoke: sub, on_complete: deploying}
      FAIL: failed
  deploying: {on: {DONE: failed}}
  empty: {allowed_tools: []}
  check: {on: {OK: $return}}
  l1: {on: {GO: l2}}
  l2: {type: final}
  r1: {on: {GO: r2}}
  r2: {type: final}
  failed: {type: final}
`
const sub = 'id: sub\ninitial: s\nstates: {s: {on: {GO: z}}, z: {type: final}}'
const start = (options = {}) => play(workflow, { invokes: [sub], ...options })
const tell = (run: ReturnType<typeof play>, by = agent, options = {}) =>
  brief(run.program, run.run, by, options)

describe('the brief', () => {
  test('WF-13: it begins as agents know it and goes on with needs, limits and context', () => {
    const run = start({ context: { test_result: 'fail' } })
    expect(tell(run)).toBe(
      [
        'Phase: testing. Tools: Read, Bash.',
        'Transitions: DEPLOY -> deploying, PICK -> deploying, PICK -> testing, ' +
          'FORK -> fork l + r, then deploying, SUB -> sub, then deploying, FAIL -> failed.',
        'Instructions: Run the test suite.',
        'Needs: DEPLOY needs test_result eq "pass" and review_id to be set.',
        "Approval: DEPLOY needs a person's approval.",
        'Choice: PICK leads to deploying if test_result eq "pass", else testing. Now: testing.',
        'Commands: npm test, git commit.',
        'Blocked variables: PROD_DB_URL.',
        'Limits: 0 of 5 tool calls, 0 of 3 files, 0 of 1000 result bytes, 20 lines per edit.',
        'Context: {"test_result":"fail"}',
      ].join('\n'),
    )
  })

  test('WF-13: overrides are told where we cannot set them, but no secrets', () => {
    const run = start()
    expect(tell(run)).not.toContain('NODE_ENV')
    const reported = tell(run, agent, { tellOverrides: true })
    expect(reported).toContain(
      'Set in the environment: NODE_ENV=test, API_KEY=(hidden), ' +
        'DATABASE_URL=(hidden), GREETING=hi.',
    )
    expect(reported).not.toContain('abc123')
    expect(reported).not.toContain('u:p@h')
  })

  test('WF-13: secrets in the context are not repeated to the agent', () => {
    const run = start({
      context: {
        api_key: 'abc123',
        nested: { password: 'hunter2' },
        author: 'ann',
        token_count: 5,
      },
    })
    expect(tell(run)).toContain(
      'Context: {"api_key":"(hidden)","nested":{"password":"(hidden)"},' +
        '"author":"ann","token_count":5}',
    )
  })

  const keys = ['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'PGPASSWORD', 'SENTRY_DSN', 'REDIS_URL']
  test.each(keys)('WF-13: %s looks secret', (key) => {
    expect(looksSecret(key)).toBe(true)
  })
  test('WF-13: NODE_ENV does not look secret', () => {
    expect(looksSecret('NODE_ENV')).toBe(false)
  })

  test('WF-5, WF-13: any tool, no tool, and strict mode', () => {
    const any = play('id: w\ninitial: a\nstates: {a: {}, z: {type: final}}')
    expect(tell(any)).toBe('Phase: a. Tools: any.\nTransitions: none.')
    const strict = play('id: w\ninitial: a\nstates: {a: {}, z: {type: final}}', { strict: true })
    expect(tell(strict)).toContain('Tools: none.')
    const none = play('id: w\ninitial: a\nstates: {a: {allowed_tools: []}, z: {type: final}}')
    expect(tell(none)).toContain('Tools: none.')
  })

  test('WF-13: a pending approval, an interrupt, a branch and parents are told', () => {
    const request = start({ context: { test_result: 'pass', review_id: 1 } })
    request.send('DEPLOY')
    expect(tell(request)).toContain(
      'Waiting: DEPLOY waits for a person (Now?). The current tools stay available.',
    )
    const stopped = play(workflow.replace('[Read, Bash]', '[Edit]'), { invokes: [sub] })
    stopped.edit('a.js')
    stopped.result(stopped.call)
    expect(tell(stopped)).toContain(
      'Interrupt: js, because a.js was changed. It returns to testing.',
    )
    expect(tell(stopped)).toContain('Transitions: OK -> testing.')
    const forked = start()
    forked.send('FORK')
    expect(tell(forked)).toContain(
      'Branch: l (current, in order) of l, r; unfinished: l, r. Finish with BRANCH_DONE:l.',
    )
    const atOnce = 'Workers: sub-agents may work the branches at once; each first calls '
    expect(tell(forked)).not.toContain('Workers')
    expect(tell(forked, agent, { hasWorkers: true })).toContain(atOnce)
    forked.bind('r', worker('wr'))
    expect(tell(forked, worker('wr'), { hasWorkers: true })).not.toContain('Workers')
    expect(tell(forked, worker('wr'))).toContain('Branch: r (side, bound) of l, r')
    expect(tell(forked)).toBe(
      'Phase: fork. Other agents work on the branches (l, r) until the fork joins.',
    )
    const child = start()
    child.send('SUB')
    expect(tell(child)).toContain('Invoked by: w (testing).')
  })

  test('WF-22: a question of ours that waits is told in words', () => {
    const run = play(
      workflow.replace(
        ', requires_approval: true,\n          approval_message: Now?',
        ', requires_approval: true',
      ),
      {
        invokes: [sub],
        context: { test_result: 'pass', review_id: 1 },
      },
    )
    run.send('DEPLOY')
    expect(tell(run)).toContain('waits for a person (Approve the move to deploying?).')
  })

  test('WF-19: an event with candidates says where it leads now', () => {
    const now = (test_result: string) => tell(start({ context: { test_result } }))
    expect(now('pass')).toContain('else testing. Now: deploying.')
    expect(now('none')).toContain('else testing. Now: testing.')
  })

  test('WF-13: it ends with the run', () => {
    const run = start()
    run.send('FAIL')
    expect(tell(run)).toBe('The run of w has ended: failed.')
  })

  test('WF-13: it is bounded, and long instructions do not push the rest out', () => {
    const long = workflow.replace('Run the test suite.', 'x'.repeat(limits.textLength))
    const run = play(long, {
      invokes: [sub],
      context: { text: 'y'.repeat(30_000), test_result: 'pass', review_id: 1 },
    })
    run.send('DEPLOY')
    const reported = tell(run)
    expect(reported.length).toBeLessThanOrEqual(limits.briefLength + 1)
    expect(reported).toContain('Waiting: DEPLOY waits for a person')
  })

  test('PR-4: a checkpoint that waits and a block say that no tool may be used', () => {
    const gate = `
name: gate
initial: a
states: {a: {question: Q, answers: {ask: {next: null, action: notify_human}}}}`
    const run = play(gate)
    run.dispatch({ type: 'answer_given', answer: 'ask', approvalId: 'apr_1' })
    expect(tell(run)).toMatch(/Waiting: ask waits for a person \(.+\). No tool may be used/)
    const no = { type: 'approval_resolved', approvalId: 'apr_1', verdict: 'reject' } as const
    run.dispatch({ ...no, by: { kind: 'person', id: 'Ann' } })
    expect(tell(run)).toBe(
      'The run of gate has ended: blocked. No tool may be used until a person starts another run.',
    )
  })
})
