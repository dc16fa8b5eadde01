import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bin, patience, Testbed, threeLines } from '../packages/server/testing/testbed.ts'
import { atTerminal, type Typist } from './support/terminal.ts'

/** A person at a terminal comes from an empty project to a guarded client with one command. */

const testbed = new Testbed()
afterAll(() => testbed.close())

const settings = (project: string) => join(project, '.claude', 'settings.local.json')

function project(name: string): string {
  const folder = join(testbed.folder, name)
  mkdirSync(join(folder, '.git'), { recursive: true })
  mkdirSync(join(testbed.home, '.claude'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  return folder
}

async function typeInit(cwd: string, options: string, typist: readonly Typist[]): Promise<string> {
  const env = testbed.environment({ NO_COLOR: '1', TERM: 'xterm' })
  const line = `'${process.execPath}' '${bin}' init ${options}; echo "exit $?"\n`
  return atTerminal(line, { folder: testbed.folder, cwd, env }, typist)
}

const stop: Typist = { question: /starts it again\./, answer: '\u0003' }

describe('init at a terminal', () => {
  test('asks three things and shows a first call denied by the server', patience, async () => {
    const cwd = project('three')
    const screen = await typeInit(cwd, '', [
      { question: /tests \[npm test\]: /, answer: '\r' },
      { question: /\[claude-code\]: /, answer: '\r' },
      { question: /six characters or more.*: /, answer: 'secret-1\r' },
      { question: /Once more: /, answer: 'secret-1\r' },
      stop,
    ])
    expect(screen).toContain('Every new session is guarded by the workflow bugfix.')
    expect(screen).toContain(
      'Denied, as it should be: tool_not_allowed: Write may not be used in investigating.',
    )
    // Wherever the cursor waits behind a colon somebody is asked; a PIN is typed twice.
    const asked = [...screen.matchAll(/^.*(\[[\w -]+\]|later\)|[Oo]nce more): /gm)]
    expect(new Set(asked.map(([line]) => line)).size).toBe(4)
    expect(readFileSync(settings(cwd), 'utf8')).toContain('hook.cjs')
    expect(existsSync(join(cwd, 'statewright-canary'))).toBe(false)
    expect(screen).toMatch(/^http:\/\/localhost:\d+\/login\//m)
  })

  test('asks again after a slip, and still ends with a guarded client', patience, async () => {
    const cwd = project('slips')
    const screen = await typeInit(cwd, '', [
      { question: /tests \[npm test\]: /, answer: '\r' },
      { question: /\[claude-code\]: /, answer: 'klaude\r' },
      { question: /not a client [\s\S]*\[claude-code\]: /, answer: 'claude-code\r' },
      { question: /six characters or more.*: /, answer: '1234\r' },
      { question: /Try again\.\s+Choose a PIN.*: /, answer: 'secret-1\r' },
      { question: /Once more: /, answer: 'secret-2\r' },
      { question: /different\. Try again\.\s+Choose a PIN.*: /, answer: 'secret-1\r' },
      { question: /Once more: /, answer: 'secret-1\r' },
      stop,
    ])
    expect(screen).toContain('Denied, as it should be: ')
  })

  test('leaves no run of its first call behind', patience, async () => {
    const cwd = project('tidy')
    const env = testbed.environment({ NO_COLOR: '1', TERM: 'xterm' })
    let runs: string | undefined
    const onScreen = (screen: string) => {
      if (runs !== undefined || !stop.question.test(screen)) return
      runs = spawnSync(process.execPath, [bin, 'run', 'list', '--json'], {
        cwd,
        env,
      }).stdout.toString()
    }
    const line = `'${process.execPath}' '${bin}' init --yes --client claude-code\n`
    await atTerminal(line, { folder: testbed.folder, cwd, env, onScreen }, [
      { question: /six characters or more.*: /, answer: 'secret-1\r' },
      { question: /Once more: /, answer: 'secret-1\r' },
      stop,
    ])
    expect(JSON.parse(runs ?? '')).toMatchObject({
      workflow: 'bugfix',
      status: 'stopped',
      denials: 1,
    })
  })

  test('asks for the PIN alone with --yes and a client', patience, async () => {
    const cwd = project('one')
    const screen = await typeInit(cwd, '--yes --client claude-code --template migration-guard', [
      { question: /six characters or more.*: /, answer: 'secret-1\r' },
      { question: /Once more: /, answer: 'secret-1\r' },
      stop,
    ])
    // Its rules let a file be written at first: then a run of its own has to forbid it.
    expect(screen).toContain('Denied, as it should be: tool_not_allowed: Write may not be used in')
  })

  test('says what is missing where no PIN was chosen, and goes on', patience, async () => {
    const cwd = project('none')
    const screen = await typeInit(cwd, '--yes --client claude-code', [
      { question: /six characters or more.*: /, answer: '\r' },
      stop,
    ])
    expect(screen).toMatch(/^step_up_required: .+\n(.+\n)* {2}next: .*statewright login/m)
    expect(screen).toContain('claude-code is not guarded yet: "statewright install claude-code".')
    expect(existsSync(settings(cwd))).toBe(false)
  })
})

describe('init without a terminal', () => {
  test('writes the files, asks nothing and says what comes next', patience, async () => {
    const cwd = project('piped')
    const { exit, talk } = await testbed.hosted(['init', '--client', 'codex'], {}, cwd)
    expect([exit, existsSync(join(cwd, 'statewright.yaml'))]).toEqual([0, true])
    expect(talk).toContain(
      'Next: run "statewright up", open the link that it prints, then "statewright install codex".',
    )
  })

  test('refuses a client that it does not know before it writes', patience, async () => {
    const cwd = project('unknown')
    const { exit, talk } = await testbed.hosted(['init', '--client', 'klaude'], {}, cwd)
    expect([exit, talk]).toEqual([2, expect.stringMatching(threeLines('usage'))])
    expect(existsSync(join(cwd, 'statewright.yaml'))).toBe(false)
  })
})
