import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHosted } from '../packages/server/testing/hosted-command.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-evidence-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files: Readonly<Record<string, string>> = {
  'package.json': '{"scripts": {"test": "vitest run"}}',
  'vitest.config.ts': 'export default {}\n',
  'node_modules/.bin/vitest': '#!/bin/sh\n',
  'src/a.ts': 'export {}\n',
  'w.yaml': `id: w
initial: fixing
states:
  fixing: { on: { DONE: { target: done, guard: green } } }
  done: { type: final }
guards: { green: { evidence: tests } }
evidence:
  tests: { tool: Bash, command: npm test, stale_after: ['src/**'] }
`,
  'w.scenarios.yaml': `definition: w.yaml
scenarios:
  - name: the configuration of the runner needs a person
    steps:
      - { tool: Write, input: { file_path: vitest.config.ts, content: x } }
      - { tool: Bash, input: { command: npm test } }
      - { send: DONE, expect: waits }
  - name: sources do not
    steps:
      - { tool: Write, input: { file_path: src/a.ts, content: x } }
      - { tool: Bash, input: { command: npm test } }
      - { send: DONE, state: done }
`,
}

beforeAll(() => {
  for (const name of ['.git', 'src', 'node_modules/.bin']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})

function run(...args: string[]) {
  return runHosted({ args, cwd: folder, environment: process.env })
}

const counted = ['node_modules/.bin/vitest', 'package.json', 'vitest.config.ts']
const inWords = `tests: a change of these needs a person: ${counted.join(', ')}`

describe('WF-31c: which files say what the command of evidence does', () => {
  test('workflow check lists them', async () => {
    const plain = await run('workflow', 'check', 'w.yaml')
    expect(plain.talk).toBe(`w.yaml: evidence ${inWords}\n1 file, 0 errors, 0 warnings.\n`)
    const { out } = await run('workflow', 'check', '--json', 'w.yaml')
    expect(JSON.parse(out).files[0].evidence).toEqual([{ evidence: 'tests', defined_by: counted }])
  })

  test('run explain lists them for a call that proves something', async () => {
    const explain = (command: string, ...more: string[]) => {
      const input = JSON.stringify({ command })
      const call = ['--definition', 'w.yaml', '--tool', 'Bash', '--input', input]
      return run('run', 'explain', ...call, ...more)
    }
    expect((await explain('npm test')).out).toContain(`  proves ${inWords}\n`)
    expect(JSON.parse((await explain('npm test', '--json')).out).proves).toEqual([
      { evidence: 'tests', defined_by: counted },
    ])
    expect((await explain('npm test -- a')).out).not.toContain('proves')
  })

  test('a scenario knows them by the command alone', async () => {
    const { exit, talk } = await run('workflow', 'test', 'w.scenarios.yaml')
    expect([exit, talk]).toEqual([0, '2 played, 0 failed.\n'])
  })
})
