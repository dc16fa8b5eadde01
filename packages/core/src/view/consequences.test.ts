import { expect, test } from 'vitest'
import { type DefinitionSource, play, rows } from '../reduce/play.test-kit.ts'
import { consequences } from './consequences.ts'

const workflow = `
id: deploy
initial: a
meta: {approval_mode: ui}
policy: {ask: [{capability: "mcp:fs:*"}], default: allow}
states:
  a:
    on:
      GO: {target: b, requires_approval: true}
      SOON: {target: b, requires_approval: true, approval_timeout_ms: 1000}
      SURE: {invoke: sure, on_complete: b, on_fail: mended}
      DARE: {invoke: sure, on_complete: b}
      SPLIT: {fork: {branches: {l: {initial: left, terminal: left_done}}, on_complete: b}}
  left: {on: {UP: {target: left_done, requires_approval: true}}}
  left_done: {}
  b: {type: final}
  mended: {on: {AGAIN: b}}
`
const sure = `
name: sure
initial: really
states:
  really:
    question: Really?
    answers: {yes: {next: really, action: notify_human}, end: {next: null, action: notify_human}}
`

/** What is told of the one question that waits, and how the run stands once it is rejected. */
function reported(written: DefinitionSource, ways: readonly string[]) {
  const run = play(written, { invokes: [sure] })
  for (const way of ways) {
    const [verb = '', word = ''] = way.split(' ')
    if (verb === 'answer') run.answer(word)
    else if (verb === 'tool') run.tool(word, { argsHash: 'x' })
    else run.send(word, {}, verb === 'left' ? { branch: 'l' } : {})
  }
  const opened = run.entries.findLast((entry) => entry.type === 'approval_opened')
  const id = opened?.type === 'approval_opened' ? opened.approval_id : ''
  const before = consequences(run.program, run.run, id)
  run.resolve('reject', { approvalId: id })
  return {
    before,
    after: `${run.status} ${run.state}`,
    none: consequences(run.program, run.run, id),
  }
}

test('WF-22c, WF-22: a rejected transition leaves the run where it is', () => {
  const { before, after, none } = reported(workflow, ['go GO'])
  expect(before).toEqual({
    ifApproved: 'The run moves from a to b by GO.',
    ifRejected: 'GO is refused, and the run stays in a. The agent reads your reason.',
  })
  expect([after, none]).toEqual(['running a', undefined])
  expect(reported(workflow, ['go SOON']).before?.ifExpired).toBe(
    'It is treated as rejected. SOON is refused, and the run stays in a.',
  )
  expect(reported(workflow, ['go SPLIT', 'left UP']).before?.ifRejected).toBe(
    'UP is refused, and the branch l stays in left. The agent reads your reason.',
  )
})

test.each(
  rows<'event' | 'after' | 'said'>(`
    event  after           said
    SURE   running mended  the run goes to mended.
    DARE   failed a        the run ends as failed.
  `),
)('WF-22c, PR-4: a checkpoint behind $event is rejected: $said', ({ event, after, said }) => {
  const shown = reported(workflow, [`go ${event}`, 'answer yes'])
  expect(shown.before?.ifRejected).toContain(`The answer "yes" is not accepted, and ${said}`)
  expect(shown.after).toBe(after)
})

test('WF-22c, PR-4: a process of its own ends as blocked', () => {
  const { before, after } = reported(sure, ['answer end'])
  expect(before?.ifApproved).toBe(
    'The answer "end" to really is accepted, and the process is completed.',
  )
  expect(before?.ifRejected).toMatch(
    /^The answer "end" is not accepted, and the run ends as blocked/,
  )
  expect(after).toBe('blocked really')
})

test('WF-22c, PO-7a: a rejected call is denied, and the run goes on', () => {
  const { before, after } = reported(workflow, ['tool mcp__fs__write'])
  expect(before?.ifApproved).toMatch(
    /^The agent may call mcp__fs__write once, with exactly these arguments/,
  )
  expect(before?.ifRejected).toMatch(/^This call is denied with your reason.* stays in a;/)
  expect(before?.ifExpired).toMatch(/may ask again\.$/)
  expect(before?.ifAlways).toContain('for the rest of this run')
  expect(after).toBe('running a')
})

test('PO-7b: of a command it is told which files it is bound to, and which not', () => {
  const run = play(workflow, { invokes: [sure] })
  run.tool('mcp__fs__write', { argsHash: 'x', scripts: 'digest' })
  const [ask] = run.run.asks
  expect(consequences(run.program, run.run, ask?.id ?? '')?.ifApproved).toMatch(
    /If a file that the command names changes before then, you are asked again\. .* in turn\.$/,
  )
})
