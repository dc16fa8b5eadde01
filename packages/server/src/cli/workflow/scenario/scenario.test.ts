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

function play(steps: string, name = 'scenario.yaml') {
  const head = 'definition: ship.yaml\nscenarios:\n  - name: it\n    steps:\n'
  const path = join(folder, name)
  writeFileSync(path, head + steps)
  const read = readScenarios(path)
  if (!read.ok) return { problem: read.error }
  const { file, program, lineOf } = read.value
  const [scenario] = file.scenarios
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
    ['      - send: FOUND\n        input: {}\n', ':6:', 'stands only beside tool'],
    ['      - send: FOUND\n        expect: gone\n', ':6:', '"expect" must be one of'],
  ])('with a mistake is refused with its place: %j', (steps, path, message) => {
    const { problem } = play(steps)
    expect(problem?.message).toContain(message)
    expect(problem?.where).toContain(`scenario.yaml${path}`)
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
