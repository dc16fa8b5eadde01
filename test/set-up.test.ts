import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bin, patience, type Ready, stopped, Testbed } from '../packages/server/testing/testbed.ts'
import { atTerminal, type Typist } from './support/terminal.ts'

/** What a newcomer reads on a terminal of 80 columns: nothing is cut in a word or said too late. */

const testbed = new Testbed()
afterAll(() => testbed.close())

const notes = `id: notes
initial: reading
states:
  reading:
    allowed_tools: [Read, Bash]
    allowed_commands: [npm test]
    on: { DONE: { target: done, requires_approval: true } }
  done: { type: final }
meta: { approval_mode: ui }
`
const settings = join(testbed.project, '.claude', 'settings.local.json')
const { version } = JSON.parse(
  readFileSync(new URL('../packages/server/package.json', import.meta.url), 'utf8'),
)
let ready: Ready
let person: Record<string, string>
let stopServer: () => Promise<unknown>

beforeAll(async () => {
  spawnSync('git', ['init', '--quiet', testbed.project])
  writeFileSync(join(testbed.project, 'notes.yaml'), notes)
  const config = 'definitions: [notes.yaml]\nworkflow: notes\n'
  writeFileSync(join(testbed.project, 'statewright.yaml'), config)
  const { ready: reported, child } = await testbed.up('--test-person')
  ready = reported
  person = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  stopServer = () => stopped(child, 'SIGTERM')
}, patience.timeout)

/** What is seen on a narrow terminal, and the exit code. */
async function narrow(line: string, typist: readonly Typist[] = []) {
  const env = testbed.environment({ ...person, NO_COLOR: '1', TERM: 'xterm' })
  const script = `stty cols 80\n'${process.execPath}' '${bin}' ${line}\necho "exit $?"\n`
  const where = { folder: testbed.folder, cwd: testbed.project, env }
  const screen = await atTerminal(script, where, typist)
  const lines = screen.split('\n')
  return {
    wide: lines.filter((one) => one.trim().length > 80 && one.trim().includes(' ')),
    words: screen.replaceAll(/\s+/g, ' '),
    exit: Number(/exit (\d+)/.exec(screen)?.[1]),
  }
}

describe('install', () => {
  test('that is declined changes nothing and ends with 130', patience, async () => {
    const no = [{ question: /ifferences: /, answer: 'n\r' }]
    const { exit, words } = await narrow('install claude-code', no)
    expect([exit, existsSync(settings)]).toEqual([130, false])
    expect(words).toContain('Cancelled. Nothing was changed.')
  })

  test('puts no key where git would take it along', patience, async () => {
    const { exit, wide } = await narrow('install claude-code --yes')
    expect([exit, wide]).toEqual([0, []])
    expect(readFileSync(settings, 'utf8')).toContain('hook.cjs')
    expect(readFileSync(settings, 'utf8')).not.toMatch(/sw_/)
  })
})

describe('doctor', () => {
  test('warns of a client that is not there, and says both versions', patience, async () => {
    const PATH = join(testbed.folder, 'programs')
    mkdirSync(PATH)
    const { out } = await testbed.hosted(['doctor'], { ...person, PATH })
    expect(out).toContain('warning  client: There is no claude on your PATH')
    expect(out.split('\n')[0]).toBe(`Statewright ${version}, server ${version}`)
  })
})

test('SH-19: doctor warns of variables that load code into the hook', patience, async () => {
  const set = { NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '' }
  const { out } = await testbed.hosted(['doctor'], { ...person, ...set })
  expect(out).toMatch(/warning {2}environment: NODE_OPTIONS .+ hook/)
  expect(out).not.toContain('LD_PRELOAD')
  expect((await testbed.hosted(['doctor'], person)).out).not.toContain('NODE_OPTIONS')
})

describe('words on a narrow terminal', () => {
  test('are not cut by run explain, of a file or of a run', patience, async () => {
    const call = `--tool Bash --input '{"command":"npm test && git push origin main > out.txt"}'`
    const file = await narrow(`run explain --definition notes.yaml --state reading ${call}`)
    expect([file.exit, file.wide]).toEqual([3, []])
    expect(file.words).toContain('output may go to the terminal, /dev/null or 2>&1.')
    const run = (await testbed.hosted(['run', 'start', 'notes'], person)).out.trim()
    const live = await narrow(`run explain ${run} ${call}`)
    expect([live.exit, live.wide]).toEqual([3, []])
    const sent = await narrow(`run transition ${run} DONE`)
    expect([sent.exit, sent.wide]).toEqual([5, []])
    expect(sent.words).toContain('Approve it with "statewright approval approve apr_')
  })

  test('are not said twice by config show', patience, async () => {
    const { out } = await testbed.hosted(['config', 'show'], person)
    expect(out).toMatch(/^KEY +IN FILE +FROM +IN EFFECT$/m)
    expect(out).toMatch(/^workflow +"notes" +\.\/statewright\.yaml +the same$/m)
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(100)
  })
})

describe('a run that its agent paused', () => {
  test('WF-27: is called unguarded by run list, run show and doctor', patience, async () => {
    const made = await testbed.hosted(['token', 'create', '--kind', 'agent'], person)
    const agent = { STATEWRIGHT_TOKEN: made.out.trim() }
    const run = (await testbed.hosted(['run', 'start', 'notes'], agent)).out.trim()
    expect((await testbed.hosted(['run', 'pause', run], agent)).exit).toBe(0)
    expect((await testbed.hosted(['run', 'list'], person)).out).toMatch(/^run_\S+.*unguarded.*$/m)
    expect((await testbed.hosted(['run', 'show', run], person)).out).toContain(
      'UNGUARDED: its agent paused it',
    )
    const shown = await testbed.hosted(['run', 'show', run], { ...person, FORCE_COLOR: '1' })
    expect(shown.out).toContain('\u001b[31m  UNGUARDED: its agent paused it')
    expect(shown.out).toContain('paused by')
    expect((await testbed.hosted(['doctor'], person)).out).toMatch(/warning {2}pauses: .+/)
    expect((await testbed.hosted(['run', 'list', '--ids'], person)).out.split('\n')).toContain(run)
    expect((await testbed.hosted(['run', 'resume', run], agent)).exit).toBe(0)
    expect((await testbed.hosted(['run', 'show', run], person)).out).not.toContain('UNGUARDED')
  })
})

describe('uninstall', () => {
  test('says that the key is still valid where its server is down', patience, async () => {
    await stopServer()
    const { exit, out, talk } = await testbed.hosted(['uninstall', 'claude-code', '--yes'], person)
    expect([exit, out]).toEqual([0, `claude-code is uninstalled for ${testbed.project}.\n`])
    expect(talk).toMatch(/The key agent_\S+ is still valid: /)
    expect(talk).toMatch(/next: run "statewright token revoke agent_\S+" when that server runs\./)
    expect(existsSync(settings) && readFileSync(settings, 'utf8').includes('sw_')).toBe(false)
  })
})
