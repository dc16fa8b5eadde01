import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { brief } from '../view/brief.ts'
import { runView } from '../view/run-view.ts'
import { agent, play } from './play.test-kit.ts'

const parent = (fail = ', on_fail: repair') => `
id: parent
initial: start
context: {who: parent}
interrupts: {js: {trigger: {file_pattern: "*.js"}, target: repair}}
policy: {role: agent, deny: [{capability: webfetch}], allow: [{capability: bash,
    rate_limit: {max_calls: 5, window_seconds: 60}}]}
states:
  start: {allowed_tools: [], on: {SUB: {invoke: suite, on_complete: after${fail},
      input: {level: 2, extra: 1}}}}
  after: {on: {END: done}}
  repair: {on: {AGAIN: start}}
  done: {type: final}
`
const suite = `
id: suite
initial: run
context: {level: 1, mine: true}
output: [report, missing]
policy: {role: agent, deny: [{capability: websearch}]}
guards: {deep: {field: level, op: gte, value: 2}}
interrupts: {ts: {trigger: {file_pattern: "*.ts"}, target: look}}
states:
  run: {allowed_tools: [Read, Edit, WebFetch, WebSearch], max_iterations: 4,
      on: {PASS: {target: good, guard: deep}, FAIL: bad}}
  look: {on: {OK: $return}}
  good: {type: final}
  bad: {type: final, outcome: failure}
`
const start = (fail?: string) => play(parent(fail), { invokes: [suite] })

describe('an invoked workflow', () => {
  test('WF-23: it runs as a child, with input over its initial context', () => {
    const run = start()
    expect(run.send('SUB', { sent: 1, rationale: 'go' })).toBe('ok')
    expect(run.state).toBe('run')
    expect(run.context).toEqual({ level: 2, mine: true, extra: 1 })
    expect(run.last.entries[0]).toMatchObject({
      type: 'invoked',
      from: 'start',
      event: 'SUB',
      workflow: 'suite',
      state: 'run',
      by: 'main',
      rationale: 'go',
    })
    expect(runView(run.program, run.run, agent).stack).toEqual([
      { workflow: 'parent', state: 'start' },
    ])
    expect(brief(run.program, run.run, agent)).toContain('Invoked by: parent (start).')
  })

  test('WF-23a: state, tools and interrupts are the child’s, and both policies hold', () => {
    const run = start()
    run.send('SUB')
    expect(run.tool('Read')).toBe('allow')
    expect(run.tool('Bash')).toBe('tool_not_allowed')
    expect(run.tool('WebFetch')).toBe('policy_denied')
    expect(run.tool('WebSearch')).toBe('policy_denied')
    run.edit('a.js')
    run.result(run.call)
    expect(run.state).toBe('run')
    run.edit('a.ts')
    run.result(run.call)
    expect(run.state).toBe('look')
  })

  test('WF-23: success goes to on_complete, and the context comes back under its id', () => {
    const run = start()
    run.send('SUB', { sent: 1 })
    run.send('PASS', { report: 'all good', mine: 0 })
    expect(run.state).toBe('after')
    expect(run.context).toEqual({
      who: 'parent',
      sent: 1,
      report: 'all good',
      suite: { level: 2, mine: 0, extra: 1, report: 'all good' },
    })
    expect(run.left).toEqual(['transitioned', 'invoke_ended'])
    expect(run.run.transitionCount).toBe(2)
  })

  test('WF-23: failure goes to on_fail', () => {
    const run = start()
    run.send('SUB')
    run.send('FAIL')
    expect([run.state, run.status]).toEqual(['repair', 'running'])
  })

  test('WF-23: without on_fail the run fails and does not lose it', () => {
    const run = start('')
    run.send('SUB')
    run.send('FAIL')
    expect(run.status).toBe('failed')
    expect(run.left).toEqual(['transitioned', 'invoke_ended', 'run_ended'])
  })

  test('WF-23: a child that begins at its end is over at once', () => {
    const run = play(parent(), { invokes: ['id: suite\ninitial: z\nstates: {z: {type: final}}'] })
    run.send('SUB')
    expect(run.state).toBe('after')
  })

  test('WF-17: a child’s guard does not read what its parent was sent', () => {
    const run = play(parent().replace('input: {level: 2, extra: 1}', 'input: {}'), {
      invokes: [suite],
    })
    run.send('SUB', { level: 9 })
    expect(run.send('PASS', { level: 9 })).toBe('guard_failed')
  })

  test('WF-4: a run needs every definition that it may invoke', () => {
    expect(() => play(parent())).toThrow('unknown_workflow')
  })
})

describe('children of children', () => {
  const self = `
id: self
initial: a
policy: {role: agent, allow: [{capability: bash, rate_limit: {max_calls: 5, window_seconds: 60}}]}
states: {a: {on: {DOWN: {invoke: self, on_complete: b}, END: z}}, b: {on: {END: z}},
    z: {type: final}}
`
  test('WF-23a: eight levels, then invoke_too_deep, and all the way back', () => {
    const run = play(self)
    for (let level = 0; level < limits.invokeDepth; level++) expect(run.send('DOWN')).toBe('ok')
    expect(run.send('DOWN', { lost: 1 })).toBe('invoke_too_deep')
    expect(run.context).toEqual({})
    expect(runView(run.program, run.run, agent).stack.length).toBe(limits.invokeDepth)
    for (let level = 0; level <= limits.invokeDepth; level++) run.send('END')
    expect(run.status).toBe('completed')
    expect(run.run.transitionCount).toBe(2 * limits.invokeDepth + 1)
  })

  test('PO-5, WF-23a: a call under a definition that invokes itself uses its rate once', () => {
    const run = play(self)
    run.send('DOWN')
    const key = run.program.root.policy?.exact.get('bash')?.[0]?.counters[0]?.key ?? ''
    const usage = { [key]: { used: 0, max: 5, resetsAt: null, free: true } }
    run.bash('ls', { more: { usage } })
    expect(run.last.actions).toMatchObject([{ type: 'take_counters', takes: [{ key }] }])
  })

  test('WF-22, WF-23: a parent’s approval cannot be had by way of a child', () => {
    const guarded = `
id: p
initial: a
meta: {approval_mode: ui}
states:
  a: {on: {SHIP: {target: z, requires_approval: true}, SUB: {invoke: c, on_complete: a}}}
  z: {type: final}
`
    const child = 'id: c\ninitial: x\nstates: {x: {on: {SHIP: y}}, y: {type: final}}'
    const run = play(guarded, { invokes: [child] })
    run.send('SHIP')
    expect(run.send('SUB')).toBe('approval_pending')
    run.resolve('reject')
    run.send('SUB')
    run.send('SHIP')
    expect([run.state, run.status]).toEqual(['a', 'running'])
  })

  test('WF-26: force from inside a child leads to a state of the run itself', () => {
    const debug = parent().replace('id: parent', 'id: parent\nmeta: {debug: true}')
    const run = play(debug, { invokes: [suite] })
    run.send('SUB')
    expect(run.force('look')).toBe('unknown_state')
    expect(run.force('after')).toBe('ok')
    expect([run.state, run.run.main.frames.length]).toEqual(['after', 1])
  })
})
