import { describe, expect, test } from 'vitest'
import { example } from '../definitions/example.ts'
import { readText, startPlay } from './play.ts'
import { summaryOf } from './run-summary.ts'
import { attempt, begin, now, playAgain, scenarioText } from './simulation.ts'

function start(text = example) {
  const { program } = readText(text)
  if (program === null) throw new Error('the text cannot be used')
  return startPlay(program, 1)
}

const edit = {
  kind: 'call',
  tool: 'Edit',
  input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
  exit: 'success',
} as const
const found = { kind: 'send', event: 'FOUND', data: { cause: 'line 42' } } as const

describe('a simulation', () => {
  test('is played again, with fewer steps or on a changed text', () => {
    const steps = [edit, found]
    expect(summaryOf(now(playAgain(steps, start(), 2))).states).toEqual(['fixing'])
    const back = playAgain(steps.slice(0, -1), start(), 2)
    expect(summaryOf(now(back)).states).toEqual(['planning'])
    const denied = now(back).last.answer
    expect(denied.type === 'decided' && denied.decision.kind).toBe('deny')
    const opened = example.replace('[Read, Grep, Glob]', '[Read, Grep, Glob, Edit]')
    const again = now(playAgain([edit], start(opened), 3)).last.answer
    expect(again.type === 'decided' && again.decision.kind).toBe('allow')
  })

  test('finds the question again that a verdict was for', () => {
    const request = example.replace(
      'FOUND: fixing',
      'FOUND: { target: fixing, requires_approval: true }',
    )
    const text = `${request}meta: { approval_mode: ui }\n`
    const verdict = { kind: 'verdict', approvalId: 'approval-1', verdict: 'approve' } as const
    expect(summaryOf(now(playAgain([edit, found, verdict], start(text), 2))).states).toEqual([
      'fixing',
    ])
    const opened = text.replace('[Read, Grep, Glob]', '[Read, Grep, Glob, Edit]')
    expect(summaryOf(now(playAgain([edit, found, verdict], start(opened), 2))).states).toEqual([
      'fixing',
    ])
  })

  test('FC-2: a result teaches what a later condition reads, and the scenario tells it', () => {
    const bank = `id: bank
initial: working
facts:
  balance: { from: get_balance, key: args.account, value: result.balance }
calls:
  transfer: [{ require: "args.amount <= facts.balance[args.from] && mentions(task, args.from)" }]
states: { working: { on: { DONE: done } }, done: { type: final } }
`
    const { program } = readText(bank)
    if (program === null) throw new Error('the text cannot be used')
    const transfer = {
      kind: 'call',
      tool: 'transfer',
      input: { from: 'a', amount: 5 },
      exit: 'success',
    } as const
    const read = { ...transfer, tool: 'get_balance', input: { account: 'a' } }
    const taught = { ...read, result: { structured: { balance: 10 } } }
    const done = playAgain([transfer, taught, transfer], startPlay(program, 1, undefined, 'a'), 2)
    expect(scenarioText(done, 'read before write', 'bank.yaml')).toBe(
      `definition: bank.yaml
scenarios:
  - name: read before write
    task: a
    steps:
      - tool: transfer
        input:
          from: a
          amount: 5
        expect: deny
        code: condition_failed
        state: working
      - tool: get_balance
        input:
          account: a
        result:
          balance: 10
        state: working
      - tool: transfer
        input:
          from: a
          amount: 5
        state: working
`,
    )
  })

  test('becomes a scenario that says what came of each step', () => {
    const done = attempt(attempt(begin(start()), edit, 2), found, 3)
    expect(scenarioText(done, 'nothing is edited too soon', 'bugfix.yaml')).toBe(
      `definition: bugfix.yaml
scenarios:
  - name: nothing is edited too soon
    steps:
      - tool: Edit
        input:
          file_path: a.ts
          old_string: a
          new_string: b
        expect: deny
        code: tool_not_allowed
        state: planning
      - send: FOUND
        data:
          cause: line 42
        state: fixing
`,
    )
  })
})
