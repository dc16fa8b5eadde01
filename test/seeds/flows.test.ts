import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  agent,
  type Play,
  person,
  play,
  worker,
} from '../../packages/core/src/reduce/play.test-kit.ts'
import { analyzeShell } from '../../packages/core/src/shell/analyze.ts'
import { brief } from '../../packages/core/src/view/brief.ts'
import {
  emptyWindow,
  type RateWindow,
  rateUsage,
  takeRate,
} from '../../packages/server/src/store/counters/rates.test-kit.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const fragments = JSON.parse(read('fragments.json'))
const ls = analyzeShell('ls')

describe('invoke', () => {
  const suite = `
id: test-suite
initial: run
context: {suite: unit}
states:
  run: {allowed_tools: [Bash], on: {OK: done, BAD: failed}}
  done: {type: final}
  failed: {type: final}
`
  const parent = {
    id: 'w',
    initial: 'start',
    states: {
      ...fragments['pattern 4: invoke'].states,
      deploying: { type: 'final' },
      debugging: { on: { AGAIN: 'start' } },
    },
  }
  test('WF-23: the sub-machine runs, then the parent resumes at on_complete or on_fail', () => {
    const run = play(parent, { invokes: [suite] })
    run.send('RUN_TESTS')
    expect([run.state, run.context]).toEqual(['run', { suite: 'integration' }])
    expect(run.tool('Read')).toBe('tool_not_allowed')
    run.send('BAD', { failures: 3 })
    expect(run.state).toBe('debugging')
    expect(run.context['test-suite']).toEqual({ suite: 'integration', failures: 3 })
    run.send('AGAIN')
    run.send('RUN_TESTS')
    run.send('OK')
    expect([run.state, run.status]).toEqual(['deploying', 'completed'])
  })
})

describe('fork', () => {
  const names = ['lint', 'types', 'security']
  const tools = ['Read', 'Grep', 'Bash']
  const states = Object.fromEntries(
    names.flatMap((name, index) => [
      [`${name}_run`, { allowed_tools: [tools[index] ?? ''] }],
      [`${name}_done`, { type: 'final' }],
    ]),
  )
  const ci = {
    id: 'ci-pipeline',
    initial: 'start',
    states: {
      ...fragments['pattern 5: fork'].states,
      ...states,
      deploying: { type: 'final' },
      failed: { type: 'final' },
    },
  }

  test('WF-24, WF-25: sequential: each branch in turn, BRANCH_DONE advances', () => {
    const run = play(ci)
    run.send('BUILD_DONE')
    for (const [index, name] of names.entries()) {
      expect(run.tool(tools[index] ?? '', { shell: ls })).toBe('allow')
      expect(run.tool(tools[(index + 1) % 3] ?? '')).toBe('tool_not_allowed')
      expect(run.send(`BRANCH_DONE:${name}`)).toBe('ok')
    }
    expect([run.state, run.status]).toEqual(['deploying', 'completed'])
  })

  test('WF-25: parallel: each worker has its own branch and tools, and the gateway joins', () => {
    const run = play(ci)
    run.send('BUILD_DONE')
    for (const name of names) expect(run.bind(name, worker(name))).toBe('ok')
    expect(run.tool('Read', { by: worker('lint') })).toBe('allow')
    expect(run.tool('Read', { by: worker('types') })).toBe('tool_not_allowed')
    expect(run.tool('Grep', { by: worker('types') })).toBe('allow')
    expect(run.tool('Read')).toBe('tool_not_allowed')
    expect(run.tool('Agent')).toBe('allow')
    for (const name of names.toReversed()) {
      expect(run.send('BRANCH_DONE', undefined, { by: worker(name) })).toBe('ok')
    }
    expect(run.state).toBe('deploying')
  })

  test('WF-24: if any branch fails and join is all, the fork goes to on_fail', () => {
    const run = play(ci)
    run.send('BUILD_DONE')
    run.send('BRANCH_FAIL:types')
    expect([run.state, run.status]).toEqual(['failed', 'failed'])
  })
})

describe('the deploy gate with its policy', () => {
  const gate = read('deploy-gate.json')
  const write = 'mcp__filesystem__write_file'

  test('PR-2, PR-6: three questions, then completed', () => {
    const run = play(gate)
    expect(brief(run.program, run.run, agent)).toContain(
      'Task: Walk through the deployment checklist before pushing to production.',
    )
    expect([run.answer('yes'), run.answer('n/a'), run.answer('yes')]).toEqual(['ok', 'ok', 'ok'])
    expect(run.status).toBe('completed')
    // The gate is open; the policy of the process holds until the next run (WF-15a).
    expect(run.tool(write)).toBe('ask')
  })

  test('PR-4: no at any of them blocks the session', () => {
    for (const way of [['no'], ['yes', 'no'], ['yes', 'yes', 'no']]) {
      const run = play(gate)
      for (const answer of way) run.answer(answer)
      expect(run.status).toBe('blocked')
      expect(run.bash('ls')).toBe('run_blocked')
    }
  })

  test('PO-4, PO-5: the 51st shell call of an hour is denied, an hour later one passes', () => {
    const run = play(gate)
    const shell = shellWithRate(run)
    for (let call = 1; call <= 50; call++) expect(shell(call * 1000)).toBe('allow')
    expect(shell(51_000)).toBe('rate_exceeded')
    expect(run.last.answer).toMatchObject({
      decision: {
        message: expect.stringContaining('Try again after 1970-01-01T01:00:01.000Z.'),
      },
    })
    expect(shell(52_000)).toBe('rate_exceeded')
    expect(shell(3_600_999)).toBe('rate_exceeded')
    expect(shell(3_601_000)).toBe('allow')
    expect(shell(3_601_001)).toBe('rate_exceeded')
  })

  test('PO-7: file writes ask a person; an agent cannot answer', () => {
    const run = play(gate)
    expect(run.tool(write, { argsHash: 'x' })).toBe('ask')
    expect(run.resolve('approve', { by: agent })).toBe('self_approval')
    expect(run.resolve('approve', { by: person })).toBe('approved')
    expect(run.tool(write, { argsHash: 'x' })).toBe('allow')
    expect(run.tool('filesystem.delete_file')).toBe('ask')
    expect(run.tool('mcp__filesystem__read_file')).toBe('allow')
  })
})

/** Keeps the counter of the shell rule as a server would: read before, taken when let through. */
function shellWithRate(run: Play): (at: number) => string {
  let window: RateWindow = emptyWindow
  const take = run.program.root.policy?.exact.get('bash')?.[0]?.counters[0]
  if (take?.kind !== 'rate') throw new Error('the policy has no rate for the shell')
  return (at) => {
    const usage = { [take.key]: rateUsage(window, take, at) }
    const output = run.at(at).bash('ls', { more: { usage } })
    if (run.last.actions.some((action) => action.type === 'take_counters')) {
      window = takeRate(window, take, at) ?? window
    }
    return output
  }
}
