import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { playScenario } from './play.ts'
import { readScenarios } from './read.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-scenario-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

writeFileSync(
  join(folder, 'ship.yaml'),
  `id: ship
initial: looking
context: { cause: null }
meta: { approval_mode: ui }
states:
  looking:
    allowed_tools: [Read]
    on: { FOUND: fixing }
  fixing:
    allowed_tools: [Read, Edit, Bash]
    allowed_commands: [npm test]
    on:
      SHIP: { target: done, guard: known, requires_approval: true }
  done: { type: final }
guards:
  known: { field: cause, op: exists }
`,
)

writeFileSync(
  join(folder, 'bank.yaml'),
  `id: bank
initial: working
facts:
  balance:
    from: mcp__bank__get_balance
    key: args.account
    value: result.balance
    forget_on: [mcp__bank__transfer]
    expires: 10m
  report: { from: "Bash(npm test --silent)", value: json(result.text) }
marks:
  secret_read: { on: [Read], when: 'files.exists(f, glob(f.path, "**/.env*"))' }
calls:
  mcp__bank__transfer:
    - require: args.amount <= facts.balance[args.from] && !marks.secret_read
      message: Read the balance of the account first.
  mcp__mail__send:
    - require: mentions(task, args.to)
      message: Only to whom the user named.
guards:
  tests_ok: { when: facts.report.failed == 0 }
states:
  working: { on: { DONE: { target: done, guard: tests_ok } } }
  done: { type: final }
`,
)

function play(steps: string, name = 'scenario.yaml') {
  return playText(`definition: ship.yaml\nscenarios:\n  - name: it\n    steps:\n${steps}`, name)
}

function playText(text: string, name = 'scenario.yaml') {
  const path = join(folder, name)
  writeFileSync(path, text)
  const read = readScenarios(path)
  if (!read.ok) return { problem: read.error }
  const { file, program, lineOf } = read.value
  const [scenario] = file.scenarios ?? []
  if (scenario === undefined) throw new Error('no scenario')
  const played = playScenario(program, scenario, {
    strict: false,
    root: folder,
    programs: new Map(),
  })
  const { failed } = played
  const line = failed && lineOf(['scenarios', 0, 'steps', failed.step, failed.key])
  return { played, line }
}

describe('a scenario', () => {
  test('that the rules bear out passes, from denial to approval', () => {
    const { played } = play(`
      - tool: Edit
        input: { file_path: a.ts, old_string: a, new_string: b }
        expect: deny
        code: tool_not_allowed
      - send: FOUND
        data: { cause: line 42 }
        state: fixing
        context: { cause: line 42 }
      - tool: Bash
        input: { command: npm test }
      - tool: Bash
        input: { command: npm test; rm -rf x }
        code: command_not_allowed
      - send: SHIP
        expect: waits
        status: waiting
      - reject: not yet
        state: fixing
      - send: SHIP
        expect: waits
      - approve: go on
        state: done
        status: completed
`)
    expect(played).toEqual({ name: 'it', ok: true, steps: 8 })
  })

  test.each([
    ['      - tool: Edit\n', 5, 'expected allow, got deny (tool_not_allowed: '],
    ['      - tool: Read\n        expect: deny\n', 6, 'expected deny, got allow'],
    ['      - send: NOPE\n', 5, 'expected moved, got refused (unknown_event: '],
    ['      - send: FOUND\n        state: done\n', 6, 'expected state done, got fixing'],
    [
      '      - send: FOUND\n      - send: SHIP\n        code: no_candidate\n',
      7,
      'expected no_candidate, got guard_failed',
    ],
    ['      - send: FOUND\n        context: { cause: 1 }\n', 6, 'expected cause 1, got null'],
    ['      - approve: yes\n', 5, 'expected moved, got refused'],
  ])('that goes another way names the line: %j', (steps, line, message) => {
    const answer = play(steps)
    expect(answer.line).toBe(line)
    expect(answer.played?.failed?.message).toContain(message)
  })

  test.each([
    ['      - tool: Read\n        send: FOUND\n', ':5:9', 'a step does one thing, not tool, send'],
    ['      - sned: FOUND\n', ':5:9', 'Did you mean "send"?'],
    ['      - send: FOUND\n        input: {}\n', ':6:', 'is only allowed together with tool'],
    ['      - send: FOUND\n        expect: gone\n', ':6:', '"expect" must be one of'],
  ])('with a mistake is refused with its place: %j', (steps, path, message) => {
    const { problem } = play(steps)
    expect(problem?.message).toContain(message)
    expect(problem?.where).toContain(`scenario.yaml${path}`)
  })

  const bank = (steps: string) =>
    playText(
      `definition: bank.yaml
scenarios:
  - name: it
    task: Write to Bob@example.com.
    steps:
${steps}`,
    )

  test('FC-2: a result teaches a fact, a call sets a mark, and conditions read both', () => {
    const { played } = bank(`
      - tool: mcp__bank__transfer
        input: { from: a, amount: 5 }
        code: condition_failed
        facts: { balance: null }
      - tool: mcp__bank__get_balance
        input: { account: a }
        result: { balance: 10 }
        facts: { balance: { a: 10, b: null } }
        marks: { secret_read: false }
      - tool: mcp__bank__get_balance
        input: { account: b }
        output: '{ "balance": 7 }'
        facts: { balance: { a: 10, b: 7 } }
      - tool: mcp__bank__transfer
        input: { from: a, amount: 5 }
        facts: { balance: null }
      - tool: mcp__bank__get_balance
        input: { account: a }
        result: failure
        facts: { balance: null }
      - tool: mcp__bank__get_balance
        input: { account: a }
        result: { balance: 5 }
      - after: 10m
        facts: { balance: null }
      - send: DONE
        code: guard_failed
      - tool: Bash
        input: { command: npm test --silent }
        output: '{ "failed": 0 }'
        facts: { report: { failed: 0 } }
      - tool: mcp__mail__send
        input: { to: bob@example.com }
      - tool: mcp__mail__send
        input: { to: eve@example.com }
        code: condition_failed
      - tool: Read
        input: { file_path: api/.env }
        marks: { secret_read: true }
      - send: DONE
        state: done
`)
    expect(played).toEqual({ name: 'it', ok: true, steps: 13 })
  })

  test.each([
    ['facts: { balance: { a: 1 } }', 'expected balance["a"] 1, got nothing'],
    ['facts: { balnce: 1 }', 'there is no fact balnce; did you mean balance?'],
    ['marks: { secret_read: true }', 'expected secret_read to be set, got not set'],
    ['marks: { secrets: true }', 'there is no mark secrets'],
  ])('FC-2: what it expects to be seen and was not is told: %s', (expectation, message) => {
    const answer = bank(`      - ${expectation}\n`)
    expect([answer.line, answer.played?.failed?.message]).toEqual([
      6,
      expect.stringContaining(message),
    ])
  })

  test('needs its definition', () => {
    const path = join(folder, 'lost.yaml')
    writeFileSync(
      path,
      'definition: gone.yaml\nscenarios: [{ name: a, steps: [{ tool: Read }] }]\n',
    )
    expect(readScenarios(path)).toMatchObject({ ok: false, error: { code: 'file_unreadable' } })
  })
})
