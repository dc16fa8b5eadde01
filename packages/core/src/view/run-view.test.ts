import { describe, expect, test } from 'vitest'
import { agent, play, worker } from '../reduce/play.test-kit.ts'
import { brief } from './brief.ts'
import { runView } from './run-view.ts'

const workflow = `
id: w
initial: a
meta: {danger_level: safe, team: blue}
context: {n: 1}
evidence: {tests: {tool: Bash, command: npm test}}
guards: {high: {field: n, op: gt, value: 5}}
states:
  a:
    allowed_tools: [Read, Bash]
    allowed_commands: ["npm test"]
    blocked_env: [SECRET]
    env_overrides: {API_KEY: abc123}
    instructions: Look.
    max_iterations: 3
    on:
      GO: {target: z, guard: high, requires_approval: true}
      FORK: {fork: {branches: {l: {initial: l1, terminal: l2}, r: {initial: r1, terminal: r2}},
          on_complete: z}}
  l1: {on: {GO: l2}}
  l2: {type: final}
  r1: {allowed_tools: [Edit], on: {GO: r2}}
  r2: {type: final}
  z: {type: final}
`
const view = (run: ReturnType<typeof play>, by = agent, options = {}) =>
  runView(run.program, run.run, by, options)

describe('the view of a run', () => {
  test('WF-32: all of it, with the names of the wire', () => {
    const run = play(workflow)
    run.tool('Read')
    run.result(run.call, { bytes: 12, costMicros: 1500 })
    const high = { guard: 'high', path: 'guards.high', passed: false, saw: 1, wants: 'n gt 5' }
    expect(view(run)).toEqual({
      workflow: 'w',
      status: 'running',
      unguarded: false,
      state: 'a',
      is_final: false,
      allowed_tools: ['Read', 'Bash'],
      allowed_commands: ['npm test'],
      transitions: [
        { event: 'GO', target: 'z', guards: [high], requires_approval: true },
        { event: 'FORK', target: 'fork l + r, then z', guards: [], requires_approval: false },
      ],
      iteration: 1,
      max_iterations: 3,
      instructions: 'Look.',
      transition_count: 0,
      blocked_env: ['SECRET'],
      env_overrides: ['API_KEY'],
      context: { n: 1 },
      guards: [high],
      meta: { danger_level: 'safe', team: 'blue' },
      limits: {
        iteration: 1,
        max_iterations: 3,
        files: 0,
        max_files_per_state: null,
        bytes: 12,
        context_budget_bytes: null,
        max_edit_lines: null,
      },
      pending_approval: null,
      interrupt: null,
      fork: null,
      evidence: { tests: 'missing' },
      stack: [],
      cost_usd: 0.0015,
      brief: brief(run.program, run.run, agent),
    })
  })

  test('WF-34: it is plain JSON', () => {
    const run = play(workflow)
    run.send('FORK')
    const seen = view(run)
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen)
  })

  test('WF-24, WF-25: a fork shows every branch, and each can be asked for by name', () => {
    const run = play(workflow)
    run.send('FORK')
    run.bind('r', worker('wr'))
    expect(view(run).fork).toEqual({
      join: 'all',
      current_branch: 'l',
      branches: {
        l: { state: 'l1', status: 'running', initial: 'l1', terminal: 'l2' },
        r: { state: 'r1', status: 'running', initial: 'r1', terminal: 'r2' },
      },
    })
    expect(view(run, agent, { branch: 'r' })).toMatchObject({
      state: 'r1',
      allowed_tools: ['Edit'],
    })
    expect(view(run, worker('wr')).state).toBe('r1')
    run.send('GO', undefined, { by: worker('wr') })
    expect(view(run, agent, { branch: 'r' })).toMatchObject({ state: 'r2', is_final: true })
    expect(view(run, agent, { branch: 'nope' }).state).toBe('a')
  })

  test('WF-22: a pending approval is shown', () => {
    const run = play(workflow.replace('meta: {', 'meta: {approval_mode: ui, '), {
      context: { n: 9 },
    })
    run.send('GO')
    expect(view(run)).toMatchObject({
      status: 'waiting',
      pending_approval: {
        approval_id: 'ask1001',
        event: 'GO',
        from: 'a',
        to: 'z',
        message: 'Approve the move to z?',
      },
    })
  })
})
