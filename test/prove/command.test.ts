import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runHosted } from '../../packages/server/testing/hosted-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-prove-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return name
}

function run(...args: string[]) {
  return runHosted({ args, cwd: folder, environment: process.env })
}

write(
  'ship.yaml',
  `id: ship
initial: working
meta: { approval_mode: ui }
states:
  working:
    allowed_tools: [Read, Edit, Bash]
    allowed_commands: [npm test]
    on:
      SHIP: { target: done, guard: tested, requires_approval: true }
      HURRY: { target: done, guard: tested }
  done: { type: final }
guards: { tested: { evidence: tests } }
evidence: { tests: { tool: Bash, command: npm test, stale_after: ['src/**'] } }
`,
)
write(
  'ship.scenarios.yaml',
  `definition: ship.yaml
scenarios:
  - name: tests first
    steps: [{ send: SHIP, code: evidence_missing }]
claims:
  - name: shipped code is tested
    never: { enter: done }
    unless: { evidence: tests }
  - never: { enter: done }
    unless: { approval: true }
`,
)

describe('the command', () => {
  test('PV-10: test plays scenarios, answers claims, and exits 3 for a refuted one', async () => {
    const { exit, out, talk } = await run('workflow', 'test', 'ship.scenarios.yaml')
    expect([exit, talk]).toEqual([3, '1 played, 0 failed.\n1 proved, 1 refuted, 0 not decided.\n'])
    expect(out).toContain('ok  tests first\nproved  shipped code is tested (')
    expect(out).toContain('refuted  never enter done unless a person approves\n')
    expect(out).toContain('ship.scenarios.yaml:9;')
  })

  test('PV-6, PV-10: prove shows the way, writes it, and test plays what it wrote', async () => {
    const { exit, out } = await run('workflow', 'prove', 'ship.yaml', '--write', 'refuted.yaml')
    expect(exit).toBe(3)
    expect(out).toContain('proved  every state can be entered')
    expect(out).toContain('refuted  no other event bypasses an approval\n  ship.yaml\n')
    expect(out).toContain('assumed: one agent, whose calls end before its next move;')
    expect(readFileSync(join(folder, 'refuted.yaml'), 'utf8')).toBe(`definition: ship.yaml
scenarios:
  - name: "refutes: never enter done unless a person approves"
    steps:
      - tool: Bash
        input: {"command":"npm test"}
      - send: HURRY
        state: done
  - name: "refutes: no other event bypasses an approval"
    steps:
      - tool: Bash
        input: {"command":"npm test"}
      - send: HURRY
        state: done
`)
    const played = await run('workflow', 'test', 'refuted.yaml')
    expect([played.exit, played.talk]).toEqual([0, '2 played, 0 failed.\n'])
  })

  test('PV-8, PV-10: what is beyond a bound is not decided, and exits 5', async () => {
    const fields = Array.from({ length: 9 }, (_, index) => `f${index}`)
    const on = fields.map(
      (field) => `      ${field.toUpperCase()}: { target: done, guard: ${field} }`,
    )
    const guards = fields.map((field) => `  ${field}: { field: ${field}, op: exists }`)
    const text = ['id: wide', 'initial: a', 'states:', '  a:', '    on:', '      STAY: a', ...on]
    write('wide.yaml', [...text, '  done: { type: final }', 'guards:', ...guards, ''].join('\n'))
    const claim = '  - never: { enter: a }\n    unless: { visited: done }\n    in: [done]\n'
    write('wide.scenarios.yaml', `definition: wide.yaml\nclaims:\n${claim}`)
    const { exit, out, talk } = await run('workflow', 'test', 'wide.scenarios.yaml')
    expect([exit, talk]).toEqual([5, '0 proved, 0 refuted, 1 not decided.\n'])
    expect(out).toContain('not decided  never enter a')
    expect(out).toContain('256')
    const report = JSON.parse((await run('workflow', 'test', 'wide.scenarios.yaml', '--json')).out)
    expect(report).toMatchObject({ files: [{ claims: [{ verdict: 'not_decided' }] }] })
  })

  test('PV-10: reports for programs', async () => {
    const { out } = await run('workflow', 'prove', 'ship.yaml', '--json')
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      files: [
        {
          file: 'ship.scenarios.yaml',
          claims: [
            { name: 'shipped code is tested', line: 6, verdict: 'proved' },
            { line: 9, verdict: 'refuted', steps: [{ tool: 'Bash' }, { send: 'HURRY' }] },
            { standing: 'states', verdict: 'proved' },
            { standing: 'end' },
            { standing: 'guards' },
            { standing: 'interrupts' },
            { standing: 'forks' },
            { standing: 'approvals', verdict: 'refuted' },
          ],
        },
      ],
    })
    const sarif = JSON.parse((await run('workflow', 'prove', 'ship.yaml', '--sarif')).out)
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'refuted' }, {}] }],
    })
    const [{ results }] = sarif.runs
    expect(results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'ship.scenarios.yaml' },
      region: { startLine: 9 },
    })
  })

  test.each([
    ['never: { entre: done }', 'Unknown field "entre"'],
    ['never: { enter: dome }', 'There is no state "dome". Did you mean "done"?'],
    ['never: { enter: done, call: { tool: Read } }', 'takes only one of enter, call'],
    ['{ can_always_reach: [done], in: [working] }', 'is only allowed together with never'],
    ['{ name: nothing }', 'needs either never or can_always_reach'],
  ])('PV-1: a claim with a mistake is refused with its line: %s', async (claim, message) => {
    write('wrong.yaml', `definition: ship.yaml\nclaims:\n  - ${claim}\n`)
    const { exit, talk } = await run('workflow', 'prove', 'wrong.yaml')
    expect(exit).toBe(3)
    expect(talk).toContain(message)
    expect(talk).toContain('wrong.yaml:3:')
  })
})
