import { describe, expect, test } from 'vitest'
import { brief } from '../view/brief.ts'
import { runView } from '../view/run-view.ts'
import { agent, person, play, rows, system, worker } from './play.test-kit.ts'

const process = `
name: gate
initial: env
initial_prompt: Walk through the list.
session_budget_usd: 0.5
gate: ["mcp:deploy:*"]
policy: {role: agent, ask: [{capability: "mcp:fs:write"}], deny: [{capability: webfetch}]}
states:
  env:
    question: Is the environment right?
    answers:
      "Yes": {next: data}
      "no": {next: null, action: block}
      skip: {next: data, action: warn}
      stop: {next: null, action: warn}
      ask: {next: data, action: notify_human}
      ask-end: {next: null, action: notify_human}
      over: {next: data, action: complete}
      plain: {next: null}
  data: {question: Reviewed?, answers: {yes: {next: end}, back: {next: env}, YES: {next: null,
      action: block}}}
  end: {question: Nothing is left to ask.}
`

describe('answers', () => {
  const table = rows<'rule' | 'answer' | 'said' | 'state' | 'status'>(`
    rule  answer   said            state  status
    PR-2  Yes      ok              data   running
    PR-5  yes      ok              data   running
    PR-5  YES      ok              data   running
    PR-5  maybe    unknown_answer  env    running
    PR-5  __proto__  unknown_answer  env    running
    PR-4  no       ok              env    blocked
    PR-4  skip     ok              data   running
    PR-4  stop     ok              env    completed
    PR-4  over     ok              env    completed
    PR-3  plain    ok              env    completed
    PR-4  ask      pending         env    waiting
  `)
  test.each(table)('$rule: "$answer" is $said, then $state and $status', (row) => {
    const run = play(process)
    expect(run.answer(row.answer)).toBe(row.said)
    expect([run.state, run.status]).toEqual([row.state, row.status])
  })

  test('PR-5: answers are trimmed, and case is ignored only where that is unambiguous', () => {
    const run = play(process)
    run.answer('  yes\n')
    expect(run.answer('Yes')).toBe('unknown_answer')
    expect(run.last.refusal?.message).toBe(
      '"Yes" is not one of the answers (yes, back, YES) to: Reviewed?',
    )
    expect(run.answer('yes')).toBe('ok')
    expect(run.status).toBe('completed')
  })

  test('PR-5: every answer is offered, also one that ends the run', () => {
    const run = play(process)
    run.answer('maybe')
    const ways = run.last.refusal?.events.map(({ event, target }) => `${event} ${target}`)
    expect(ways).toEqual(expect.arrayContaining(['no (blocked)', 'stop (completed)']))
  })

  test('PR-11a: meta.locked locks a run of a process, as it does one of a workflow', () => {
    const locked = play(`${process}\nmeta: { locked: true }`)
    expect([locked.pause(), locked.stop()]).toEqual(['locked', 'locked'])
  })

  test('PR-2: an answer is recorded with its rationale and counts as a transition', () => {
    const run = play(process)
    run.answer('yes', 'checked the host name')
    expect(run.last.entries[0]).toMatchObject({
      type: 'answered',
      from: 'env',
      answer: 'Yes',
      to: 'data',
      by: 'main',
      rationale: 'checked the host name',
    })
    expect(run.run.transitionCount).toBe(1)
  })

  test('PR-2: a process is stepped by answers only, a workflow by events only', () => {
    const run = play(process)
    expect(run.send('Yes')).toBe('unknown_event')
    expect(run.send('BRANCH_DONE:env')).toBe('unknown_branch')
    const other = play('id: w\ninitial: a\nstates: {a: {on: {yes: z}}, z: {type: final}}')
    expect(other.answer('yes')).toBe('unknown_answer')
  })

  test('PR-3: a terminal state completes, as the initial one at once', () => {
    const run = play(process)
    run.answer('Yes')
    run.answer('yes')
    expect([run.state, run.status]).toEqual(['end', 'completed'])
    const short = play('name: p\ninitial: end\nstates: {end: {question: Nothing.}}')
    expect(short.status).toBe('completed')
    expect(short.left).toEqual(['run_started', 'run_ended'])
  })
})

describe('what an answer does besides', () => {
  test('PR-4: after a block every tool is denied, and the agent cannot get on', () => {
    const run = play(process)
    run.answer('no')
    expect(run.tool('Read')).toBe('run_blocked')
    expect(run.bash('ls')).toBe('run_blocked')
    expect(run.tool('process_state', { toUs: true })).toBe('allow')
    expect([run.answer('yes'), run.pause(), run.stop(), run.resume(), run.force('env')]).toEqual([
      'run_not_active',
      'run_not_active',
      'run_not_active',
      'run_not_paused',
      'run_not_active',
    ])
    expect(run.tool('Read')).toBe('run_blocked')
  })

  test('PR-4: a call let through before the block is not let through again', () => {
    const run = play(process)
    run.tool('Read', { id: 'x', argsHash: 'h' })
    run.answer('no')
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('run_blocked')
  })

  test('PR-4: a warning is kept and the run goes on', () => {
    const run = play(process)
    run.answer('skip')
    expect(run.left).toEqual(['answered', 'warned'])
    expect(run.last.answer).toMatchObject({
      warning: 'Recorded with a warning: the answer "skip" at env.',
    })
    const last = play(process)
    last.answer('stop')
    expect(last.left).toEqual(['answered', 'warned', 'run_ended'])
  })

  test('PR-4: notify_human stops every tool but ours until a person decides', () => {
    const run = play(process)
    run.answer('ask')
    expect(run.status).toBe('waiting')
    expect(run.last.actions).toMatchObject([{ type: 'open_approval', kind: 'checkpoint' }])
    expect(run.tool('Read')).toBe('run_waiting')
    expect(run.tool('process_state', { toUs: true })).toBe('allow')
    expect(run.answer('yes')).toBe('approval_pending')
    expect(run.resolve('approve')).toBe('ok')
    expect([run.state, run.status]).toEqual(['data', 'running'])
    expect(run.tool('Read')).toBe('allow')
  })

  const verdicts = rows<'rule' | 'answer' | 'verdict' | 'status'>(`
    rule  answer   verdict  status
    PR-4  ask      reject   blocked
    PR-4  ask-end  approve  completed
    PR-4  ask-end  reject   blocked
    PR-4  ask      expire   blocked
  `)
  test.each(verdicts)('$rule: $answer and $verdict end $status', ({ answer, verdict, status }) => {
    const run = play(process)
    run.answer(answer)
    // The table holds nothing but verdicts.
    run.resolve(verdict as 'approve')
    expect(run.status).toBe(status)
  })

  const escapes = [
    {
      rule: 'PR-4',
      what: 'approve itself',
      attempt: (r: Run) => r.resolve('approve', { by: agent }),
    },
    {
      rule: 'PR-4',
      what: 'be approved by the clock',
      attempt: (r: Run) => r.resolve('approve', { by: system }),
    },
    { rule: 'PR-4', what: 'pause the run', attempt: (r: Run) => r.pause() },
    { rule: 'PR-4', what: 'stop the run', attempt: (r: Run) => r.stop() },
    { rule: 'PR-4', what: 'force a state', attempt: (r: Run) => r.force('data') },
  ]
  test.each(escapes)('$rule: a waiting agent cannot $what', ({ attempt }) => {
    const run = play(process)
    run.answer('ask')
    expect(['self_approval', 'run_waiting']).toContain(attempt(run))
    expect(run.tool('Read')).toBe('run_waiting')
    expect(run.pause(person)).toBe('ok')
  })

  test('PR-4: a repeated call id does not slip past a waiting checkpoint', () => {
    const run = play(process)
    run.tool('Read', { id: 'x', argsHash: 'h' })
    run.answer('ask')
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('run_waiting')
  })
})

type Run = ReturnType<typeof play>

describe('what a process holds back', () => {
  test('PR-5a: the gate is closed until the process is completed', () => {
    const run = play(process)
    expect(run.tool('mcp__deploy__push')).toBe('gate_closed')
    expect(run.tool('deploy.push')).toBe('gate_closed')
    expect(run.tool('mcp__deployer__push')).toBe('allow')
    run.answer('Yes')
    expect(run.tool('mcp__deploy__push')).toBe('gate_closed')
    run.answer('yes')
    expect(run.status).toBe('completed')
    expect(run.tool('mcp__deploy__push')).toBe('allow')
  })

  test('PR-5a: without a gate the questions stop nothing but what the policy stops', () => {
    const run = play(process)
    expect(run.tool('Read')).toBe('allow')
    expect(run.tool('WebFetch')).toBe('policy_denied')
    expect(run.tool('mcp__fs__write')).toBe('ask')
  })

  test('PR-5a: in strict mode a process lets pass what its policy allows', () => {
    const strict = play(process.replace('ask: [', 'allow: [{capability: read}], ask: ['), {
      strict: true,
    })
    expect(strict.tool('Read')).toBe('allow')
    expect(strict.tool('Grep')).toBe('policy_denied')
    const bare = play(
      'name: p\ninitial: a\nstates: {a: {question: Q, answers: {y: {next: null}}}}',
      {
        strict: true,
      },
    )
    expect(bare.tool('Read')).toBe('tool_not_allowed')
  })

  test('PR-9: once the cost reaches the budget every tool but ours is denied', () => {
    const run = play(process)
    run.tool('Read')
    run.result('c1', { costMicros: 499_999 })
    expect(run.tool('Read')).toBe('allow')
    run.dispatch({ type: 'cost_reported', costMicros: 1 })
    expect(run.tool('Read')).toBe('session_budget_exhausted')
    expect(run.tool('process_state', { toUs: true })).toBe('allow')
    expect(run.answer('Yes')).toBe('ok')
    expect(run.tool('Read')).toBe('session_budget_exhausted')
  })
})

describe('a process inside a workflow', () => {
  const workflow = `
id: w
initial: s
states:
  s: {on: {ASK: {invoke: gate, on_complete: good, on_fail: bad},
      FORK: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1, terminal: b2}},
      on_complete: good}}}}
  a1: {on: {ASK: {invoke: gate, on_complete: a2}}}
  a2: {type: final}
  b1: {on: {GO: b2}}
  b2: {type: final}
  good: {on: {END: done}}
  bad: {on: {END: done}}
  done: {type: final}
`
  const nested = () => play(workflow, { invokes: [process] })

  test('PR-4, WF-23: an invoked process that blocks fails its caller', () => {
    const run = nested()
    run.send('ASK')
    expect(brief(run.program, run.run, agent)).toContain('Task: Walk through the list.')
    run.answer('no')
    expect([run.state, run.status]).toEqual(['bad', 'running'])
  })

  test('PR-4, WF-22a: a checkpoint in a branch stops the tools of that branch alone', () => {
    const run = nested()
    run.send('FORK')
    run.bind('a', agent)
    run.bind('b', worker('wb'))
    run.send('ASK')
    run.answer('ask')
    expect(run.status).toBe('running')
    expect(run.tool('Read')).toBe('run_waiting')
    expect(run.tool('Read', { by: worker('wb') })).toBe('allow')
    expect(run.pause()).toBe('run_waiting')
    run.resolve('approve')
    expect(run.tool('Read')).toBe('allow')
  })

  test('PR-9: the budget of a process in a branch holds there', () => {
    const run = nested()
    run.send('FORK')
    run.send('ASK')
    run.dispatch({ type: 'cost_reported', costMicros: 500_000 })
    expect(run.tool('Read')).toBe('session_budget_exhausted')
  })
})

describe('what a process tells the agent', () => {
  test('PR-6: the prompt comes before the first turn, the question each turn', () => {
    const run = play(process)
    const spent = 'Spent: 0 of 0.5 USD of the session budget in this run.'
    expect(brief(run.program, run.run, agent)).toBe(
      'Phase: env. Process: gate.\nTask: Walk through the list.\n' +
        'Question: Is the environment right?\n' +
        'Answers: Yes, no, skip, stop, ask, ask-end, over, plain. Give one with process_step.\n' +
        spent,
    )
    run.answer('Yes')
    expect(brief(run.program, run.run, agent)).toBe(
      'Phase: data. Process: gate.\nQuestion: Reviewed?\n' +
        'Answers: yes, back, YES. Give one with process_step.\n' +
        spent,
    )
    expect(runView(run.program, run.run, agent)).toMatchObject({
      question: 'Reviewed?',
      answers: ['yes', 'back', 'YES'],
    })
  })
})
