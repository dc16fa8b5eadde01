import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { phrase } from '../base/text/phrase.ts'
import { brief } from '../view/brief.ts'
import { agent, person, play, rows, worker } from './play.test-kit.ts'

const workflow = `
id: w
initial: work
states:
  work: {allowed_tools: [Read, Bash, Edit], max_iterations: 3, max_files_per_state: 2,
      on: {GO: look, SELF: work}}
  look: {allowed_tools: [Read], on: {BACK: work}}
  done: {type: final}
`

describe('the id of a call', () => {
  test('WF-32a: repeated, it gets the same answer and counts once', () => {
    const run = play(workflow)
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('allow')
    const first = run.last.answer
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('allow')
    expect(run.last.answer).toEqual(first)
    expect(run.left).toEqual([])
    expect(run.frame().counters.iterations).toBe(1)
  })

  test('WF-32a: once its result has come, the id of a call is used up', () => {
    const run = play(workflow)
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('allow')
    expect(run.result('x', { bytes: 5 })).toBe('ok')
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('call_id_reused')
    expect(run.frame().counters.iterations).toBe(1)
  })

  test.each([
    { code: 'policy_denied', since: 'a policy that denies it', answer: 'policy_denied' },
    { code: 'rate_exceeded', since: 'a limit that it used up itself', answer: 'allow' },
  ] as const)('WF-32a, PO-2: repeated, it meets $since', ({ code, answer }) => {
    const run = play(workflow)
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('allow')
    const message = phrase('policy_denied', { capability: 'read' })
    const reasons = [{ code, message, path: 'deny.0' }]
    const external = [{ source: 'team', kind: 'deny' as const, reasons }]
    expect(run.tool('Read', { id: 'x', argsHash: 'h', more: { external } })).toBe(answer)
    expect(run.frame().counters.iterations).toBe(1)
  })

  const rides = rows<'rule' | 'how' | 'tool' | 'args' | 'by' | 'server'>(`
    rule    how                    tool   args  by     server
    WF-32a  other arguments        Bash   y     main   -
    WF-32a  another tool           Edit   x     main   -
    WF-32a  another caller         Bash   x     other  -
    WF-32a  a server of its name   Bash   x     main   evil
  `)
  test.each(rides)('$rule: $how cannot ride on an allow', ({ tool, args, by, server }) => {
    const run = play(workflow)
    expect(run.bash('ls', { id: 'x', argsHash: 'x' })).toBe('allow')
    const more = server === '-' ? {} : { server }
    expect(run.tool(tool, { id: 'x', argsHash: args, by: worker(by), ...more })).toBe(
      'call_id_reused',
    )
    expect(run.left).toEqual(['call_decided'])
    expect(run.frame().counters.iterations).toBe(1)
  })

  test('WF-32a: nor does it open a state that would deny the call', () => {
    const run = play(workflow)
    run.bash('rm -rf x', { id: 'x', argsHash: 'h' })
    run.send('GO')
    expect(run.bash('rm -rf x', { id: 'x', argsHash: 'h' })).toBe('call_id_reused')
    run.send('BACK')
    expect(run.bash('rm -rf x', { id: 'x', argsHash: 'h' })).toBe('call_id_reused')
    expect(run.bash('rm -rf x', { id: 'y', argsHash: 'h' })).toBe('allow')
  })

  test('WF-32a: a denied call may be asked again under its id, and is judged again', () => {
    const run = play(workflow)
    run.send('GO')
    expect(run.bash('ls', { id: 'x', argsHash: 'h' })).toBe('tool_not_allowed')
    expect(run.bash('ls', { id: 'x', argsHash: 'h' })).toBe('tool_not_allowed')
    run.send('BACK')
    expect(run.bash('ls', { id: 'x', argsHash: 'h' })).toBe('allow')
  })

  test('WF-27, WF-32a: a repeated id does not get around a locked pause', () => {
    const run = play(workflow, { locked: true })
    run.tool('Read', { id: 'x', argsHash: 'h' })
    run.pause(person)
    expect(run.tool('Read', { id: 'x', argsHash: 'h' })).toBe('run_paused')
  })
})

describe('the result of a call', () => {
  test('WF-32a: a second result is ignored, whatever it says', () => {
    const run = play(workflow)
    run.edit('a.ts')
    run.result('c1', { bytes: 10, costMicros: 5 })
    const before = run.run
    expect(run.result('c1', { bytes: 10, costMicros: 5, exit: 'failure' })).toBe('ok')
    expect(run.run).toBe(before)
    expect(run.left).toEqual([])
  })

  test('WF-32a: a result for a call that was not let through is refused', () => {
    const run = play(workflow)
    run.tool('WebFetch')
    expect(run.result('c1')).toBe('unknown_call')
    expect(run.result('nobody')).toBe('unknown_call')
  })

  test('WF-32a: a failed call gives back its files, not the call', () => {
    const run = play(workflow)
    run.edit('a.ts')
    run.edit('b.ts')
    expect(run.edit('c.ts')).toBe('too_many_files')
    run.result('c1', { exit: 'failure' })
    expect(run.frame().counters).toMatchObject({ iterations: 2, files: ['b.ts'] })
    expect(run.edit('c.ts')).toBe('allow')
  })

  test('WF-32a: it gives back only what it was the first to count', () => {
    const run = play(workflow)
    run.edit('a.ts')
    run.result('c1')
    run.edit('a.ts')
    run.result('c2', { exit: 'failure' })
    expect(run.frame().counters.files).toEqual(['a.ts'])
  })

  test('WF-32a: a result that comes after its state was left gives nothing back there', () => {
    const run = play(workflow)
    run.edit('a.ts')
    run.send('SELF')
    run.edit('a.ts')
    run.result('c1', { exit: 'failure' })
    expect(run.frame().counters.files).toEqual(['a.ts'])
  })

  test('WF-32a: a negative cost or size does not give anything back', () => {
    const run = play(workflow)
    run.tool('Read')
    run.result('c1', { bytes: 10, costMicros: 500 })
    run.tool('Read')
    run.result('c2', { bytes: -10, costMicros: -500 })
    run.dispatch({ type: 'cost_reported', costMicros: -500 })
    expect([run.run.costMicros, run.frame().counters.bytes]).toEqual([500, 10])
  })

  test('WF-34: calls that are remembered are bounded, open ones outlive finished ones', () => {
    const run = play('id: w\ninitial: a\nstates: {a: {}, z: {type: final}}')
    run.tool('Read', { id: 'open' })
    for (let count = 0; count < limits.rememberedCalls * 2; count++) {
      run.tool('Read', { id: `r${count}` })
      run.result(`r${count}`)
    }
    expect(run.run.calls.length).toBe(limits.rememberedCalls)
    expect(run.result('open')).toBe('ok')
    for (let count = 0; count < limits.openCalls * 2; count++) run.tool('Read', { id: `o${count}` })
    expect(run.run.calls.length).toBe(limits.openCalls)
  })
})

describe('the mail of a run', () => {
  const process = `
name: mailer
initial: ask
email_config: {max_emails_per_session: 2, allowed_to: ["*@example.com"]}
states: {ask: {question: Done?, answers: {yes: {next: null}}}}
`
  const mail = (...to: string[]) => ({
    mail: { messages: to.map((one) => ({ from: null, recipients: [one] })) },
  })

  test('PR-10: mail counts when it is let through, so that parallel calls cannot send more', () => {
    const run = play(process)
    expect(run.tool('send-email', mail('a@example.com'))).toBe('allow')
    expect(run.tool('send-email', mail('a@example.com', 'b@example.com'))).toBe('email_limit')
    expect(run.tool('send-email', mail('b@example.com'))).toBe('allow')
    expect(run.tool('send-email', mail('c@example.com'))).toBe('email_limit')
    run.result('c1', { exit: 'failure' })
    expect(run.tool('send-email', mail('c@example.com'))).toBe('allow')
    expect(run.tool('send-email', mail('d@example.com'))).toBe('email_limit')
    expect(run.tool('send-email', mail('a@evil.com'))).toBe('email_not_allowed')
  })
})

describe('facts that stand in the brief', () => {
  test('WF-13: limits tell what is used and left', () => {
    const run = play(workflow)
    run.edit('a.ts')
    expect(brief(run.program, run.run, agent)).toContain('Limits: 1 of 3 tool calls, 1 of 2 files.')
  })
})
