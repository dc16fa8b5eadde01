import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Ran } from '../../packages/server/testing/child.ts'
import { type ChatTurn, type FakeChat, startFakeChat } from '../support/fake-openai-chat.ts'
import { type GuardedHome, isDriven, openGuardedHome, variables } from './guarded-home.ts'
import { isOpencodeInstalled, opencodeFolder, runOpencode } from './opencode-client.ts'

const isTried = isDriven('opencode', { isInstalled: isOpencodeInstalled() })

const limits = { timeout: 180_000 }

let guarded: GuardedHome
let model: FakeChat | undefined

afterEach(() => model?.close())

async function play(script: readonly ChatTurn[]): Promise<Ran> {
  model = await startFakeChat(script)
  return runOpencode({ ...guarded, model, environment: variables })
}

/** What the model was given with a request: the newest results of tools. */
function given(request: number): string {
  return JSON.stringify(model?.requests[request]?.messages.slice(-2) ?? [])
}

function system(request: number): string {
  const messages = model?.requests[request]?.messages ?? []
  return JSON.stringify(messages.filter(({ role }) => role === 'system'))
}

const inWork = (name: string) => join(guarded.work, name)
const write = (name: string) => ({
  tool: 'write',
  input: { filePath: inWork(name), content: 'written\n' },
})
const shell = (command: string) => ({ tool: 'bash', input: { command, description: 'runs' } })
const transition = (event: string) => ({
  tool: 'statewright_statewright_transition',
  input: { event },
})
const done: ChatTurn = [{ text: 'Done.' }]
const settingsFile = () => join(opencodeFolder(guarded.home), 'opencode.json')

describe.skipIf(!isTried)('the real opencode, guarded for its user', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('opencode')
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('without us the same client writes at once', async () => {
    await play([() => [write('free.txt')], done])
    expect(existsSync(inWork('free.txt'))).toBe(true)
  })

  test('WF-6, WF-14: is held to the state, and let on by the transition', async () => {
    const { code, stderr } = await guarded.command(['install', 'opencode', '--user', '--yes'])
    expect(`${code}\n${stderr}`).toMatch(/^0\n/)
    await play([() => [write('early.txt')], [transition('READY')], () => [write('late.txt')], done])
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(given(1)).toContain('tool_not_allowed')
    expect(given(1)).toContain('call statewright_transition with READY to writing')
    expect(readFileSync(inWork('late.txt'), 'utf8')).toBe('written\n')
    // WF-13: the brief of every turn stands in the system prompt.
    expect(system(0)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(system(2)).toContain('[STATEWRIGHT] Phase: writing.')
    expect(await guarded.history()).toEqual([
      'run_started',
      'call_decided deny',
      'transitioned',
      'call_decided allow',
      'call_finished',
    ])
  })

  test('SH-10: a shell that writes is denied where only reading is allowed', async () => {
    await play([() => [shell(`echo x > ${inWork('shell.txt')}`)], done])
    expect(existsSync(inWork('shell.txt'))).toBe(false)
    expect(given(1)).toContain('tool_not_allowed')
  })

  test('WF-28: an interrupt moves the run and is told to the model', async () => {
    await play([[transition('READY')], () => [write('prod.env')], done])
    expect(given(2)).toContain('[STATEWRIGHT INTERRUPT]')
    expect(system(2)).toContain('Phase: mending.')
    expect(await guarded.history()).toContain('interrupted')
  })

  test('its own settings and our data are out of reach, whatever the state allows', async () => {
    const file = settingsFile()
    const before = readFileSync(file, 'utf8')
    const overwrite = { tool: 'write', input: { filePath: file, content: '{}' } }
    await play([
      [transition('READY')],
      [transition('OPEN')],
      [overwrite],
      () => [shell(`echo '{}' > ${file}`)],
      () => [shell(`cat ${join(guarded.home, 'data')}/*`)],
      done,
    ])
    for (const request of [3, 4, 5]) expect(given(request)).toContain('self_protection')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('SH-12: a blocked variable is really absent from what it starts', async () => {
    // What a command names itself is read before it runs; a program may look anywhere.
    const script =
      "const { BLOCKED_THING: b, OPEN_THING: o } = process.env; console.log('saw', b, o)"
    writeFileSync(inWork('look.mjs'), script)
    const look = shell(`${process.execPath} ${inWork('look.mjs')}`)
    await play([[transition('READY')], [transition('OPEN')], [look], done])
    expect(given(3)).toContain('saw undefined in-sight')
    expect(given(3)).not.toContain('out-of-sight')
    expect(await guarded.history()).toContain('call_finished')
  })

  test('another server under our name is judged as any other', async () => {
    const before = readFileSync(settingsFile(), 'utf8')
    const fake = fileURLToPath(new URL('../support/impostor-mcp.mjs', import.meta.url))
    const command = [process.execPath, fake, inWork('impostor.txt')]
    const mcp = { statewright: { type: 'local', command, enabled: true } }
    writeFileSync(settingsFile(), JSON.stringify({ mcp }))
    await play([[transition('READY')], done])
    writeFileSync(settingsFile(), before)
    expect(given(1)).toContain('tool_not_allowed')
    expect(existsSync(inWork('impostor.txt'))).toBe(false)
  })

  test('no answer means no: with the server dead nothing is written', async () => {
    await play([
      [transition('READY')],
      async () => {
        await guarded.server.kill('SIGKILL')
        return [write('dead.txt')]
      },
      () => [shell(`echo x > ${inWork('dead.txt')}`)],
      done,
    ])
    expect(existsSync(inWork('dead.txt'))).toBe(false)
    expect(given(2)).toContain('could not judge')
    expect(model?.requests.length).toBe(4)
  })
})

describe.skipIf(!isTried)('installing into opencode', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('opencode')
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('uninstall gives back every byte, also around what was changed since', async () => {
    const folder = opencodeFolder(guarded.home)
    mkdirSync(folder, { recursive: true })
    const before = '{\n\t"theme": "x",\n\t"mcp": { }\n}\n'
    writeFileSync(settingsFile(), before)
    expect((await guarded.command(['install', 'opencode', '--yes'])).code).toBe(0)
    expect(existsSync(join(folder, 'plugins', 'statewright.js'))).toBe(true)
    const text = readFileSync(settingsFile(), 'utf8')
    expect(text).toContain('statewright')
    // The key stays in a file of the user's own.
    expect(text).not.toContain('sw_agent_')
    writeFileSync(settingsFile(), text.replace('"x"', '"y"'))
    expect((await guarded.command(['uninstall', 'opencode', '--yes'])).code).toBe(0)
    expect(readFileSync(settingsFile(), 'utf8')).toBe(before.replace('"x"', '"y"'))
    expect(existsSync(join(folder, 'plugins'))).toBe(false)
  })

  test('a broken settings file is refused and nothing is left behind', async () => {
    writeFileSync(settingsFile(), '{ "mcp": ')
    expect((await guarded.command(['install', 'opencode', '--yes'])).code).toBe(2)
    expect(readFileSync(settingsFile(), 'utf8')).toBe('{ "mcp": ')
    expect(existsSync(join(opencodeFolder(guarded.home), 'plugins'))).toBe(false)
    rmSync(settingsFile())
  })
})
