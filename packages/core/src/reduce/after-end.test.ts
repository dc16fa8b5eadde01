import { describe, expect, test } from 'vitest'
import { play, rows } from './play.test-kit.ts'

const workflow = (more = '') => `
id: w
initial: work
${more}
states:
  work: {allowed_tools: [Read], on: {DONE: done, BAD: failed}}
  done: {type: final}
  failed: {type: final}
`
const denyWeb = 'policy: {deny: [{capability: web_fetch}]}'

describe('after the end of a run', () => {
  const table = rows<'rule' | 'after' | 'mode' | 'tool' | 'answer'>(`
    rule    after   mode      tool      answer
    WF-15a  -       plain     Write     allow
    WF-15a  -       plain     WebFetch  policy_denied
    WF-15a  policy  plain     WebFetch  policy_denied
    WF-15a  closed  plain     Write     no_active_run
    WF-15a  -       strict    Write     no_active_run
    WF-15a  policy  strict    WebFetch  policy_denied
    WF-15a  -       session   Write     no_active_run
    WF-15a  policy  session   Write     allow
    WF-15a  policy  session   WebFetch  policy_denied
  `)
  const modes = { plain: {}, strict: { strict: true }, session: { inSession: true } }
  test.each(table)('$rule: after_end $after, $mode: $tool is $answer', (row) => {
    const after = row.after === '-' ? '' : `after_end: ${row.after}`
    // Each row names one of the modes above.
    const mode = modes[row.mode as keyof typeof modes]
    for (const event of ['DONE', 'BAD']) {
      const run = play(workflow(`${denyWeb}\n${after}`), mode)
      run.send(event)
      expect(run.tool(row.tool)).toBe(row.answer)
      expect(run.tool('statewright_get_state', { toUs: true })).toBe('allow')
    }
  })

  test('WF-15a: in strict mode a definition without a policy is closed, whatever it says', () => {
    const run = play(workflow('after_end: policy'), { strict: true })
    run.send('DONE')
    expect(run.tool('Read')).toBe('no_active_run')
  })

  test('WF-15a: a run that its agent stopped keeps its policy too', () => {
    const run = play(workflow(denyWeb))
    run.stop()
    expect([run.tool('WebFetch'), run.tool('Write')]).toEqual(['policy_denied', 'allow'])
  })

  test('WF-15a: a closed end says what comes next', () => {
    const run = play(workflow('after_end: closed'))
    run.send('DONE')
    run.tool('Read')
    expect(run.last.answer).toMatchObject({
      decision: {
        message:
          'The run of w has ended, so no tool may be used until the next run begins. Load a ' +
          'workflow with statewright_load_workflow, or ask a person to start a run.',
      },
    })
  })

  const paid = `
name: p
initial: q
session_budget_usd: 1
gate: [deploy]
states: {q: {question: Done?, answers: {yes: {next: null}}}}
`
  test('WF-15a, PR-9: what a call costs after the end counts, and the budget holds', () => {
    const run = play(paid)
    run.answer('yes')
    expect([run.status, run.tool('Read')]).toEqual(['completed', 'allow'])
    expect(run.result(run.call, { costMicros: 1_000_000 })).toBe('ok')
    expect(run.tool('Read')).toBe('session_budget_exhausted')
  })

  test('WF-15a, PR-6: a gate opens when its process is completed, not when it is stopped', () => {
    const done = play(paid)
    done.answer('yes')
    const stopped = play(paid)
    stopped.stop()
    expect([done.tool('deploy'), stopped.tool('deploy')]).toEqual(['allow', 'gate_closed'])
  })
})
