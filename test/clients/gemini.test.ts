import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Ran } from '../../packages/server/testing/child.ts'
import { type FakeGemini, type GeminiTurn, startFakeGemini } from '../support/fake-gemini.ts'
import {
  commandGemini,
  isGeminiInstalled,
  quietSettings,
  readGeminiSettings,
  runGemini,
  writeGeminiSettings,
} from './gemini-client.ts'
import { type GuardedHome, isDriven, openGuardedHome, variables } from './guarded-home.ts'

const isTried = isDriven('Gemini CLI', { isInstalled: isGeminiInstalled() })

const settings = `${JSON.stringify(quietSettings, null, 2)}\n`
const limits = { timeout: 120_000 }

let guarded: GuardedHome
let model: FakeGemini | undefined

afterEach(() => model?.close())

async function play(script: readonly GeminiTurn[]): Promise<Ran> {
  model = await startFakeGemini(script)
  return runGemini({ ...guarded, model, environment: variables })
}

/** What the model was given with a request: results of tools and words of ours. */
function given(request: number): string {
  return JSON.stringify(model?.requests[request]?.contents.slice(-2) ?? [])
}

const inWork = (name: string) => join(guarded.work, name)
const write = (name: string) => ({
  tool: 'write_file',
  input: { file_path: inWork(name), content: 'written\n' },
})
const shell = (command: string) => ({ tool: 'run_shell_command', input: { command } })
const transition = (event: string) => ({
  tool: 'mcp_statewright_statewright_transition',
  input: { event },
})
const done: GeminiTurn = [{ text: 'Done.' }]

describe.skipIf(!isTried)('the real Gemini CLI, guarded for its user', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('gemini')
    writeGeminiSettings(guarded.home, settings)
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('without us the same client writes at once', async () => {
    await play([() => [write('free.txt')], done])
    expect(existsSync(inWork('free.txt'))).toBe(true)
  })

  test('WF-6, WF-14: is held to the state, and let on by the transition', async () => {
    const { code, stderr } = await guarded.command(['install', 'gemini', '--user', '--yes'])
    expect(`${code}\n${stderr}`).toMatch(/^0\n/)
    await play([() => [write('early.txt')], [transition('READY')], () => [write('late.txt')], done])
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(given(1)).toContain('tool_not_allowed')
    expect(given(1)).toContain('call statewright_transition with READY to writing')
    expect(readFileSync(inWork('late.txt'), 'utf8')).toBe('written\n')
    expect(await guarded.history()).toEqual([
      'run_started',
      'call_decided deny',
      'transitioned',
      'call_decided allow',
      'call_finished',
    ])
  })

  test('WF-13: the model is given the brief with the prompt and beside each result', async () => {
    const read = { tool: 'read_file', input: { file_path: inWork('late.txt') } }
    await play([[read], [transition('READY')], [read], done])
    expect(given(0)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(given(1)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(given(3)).toContain('[STATEWRIGHT] Phase: writing.')
  })

  test('SH-10: a shell that writes is denied where only reading is allowed', async () => {
    await play([() => [shell(`echo x > ${inWork('shell.txt')}`)], done])
    expect(existsSync(inWork('shell.txt'))).toBe(false)
    expect(given(1)).toContain('tool_not_allowed')
  })

  test('WF-28: an interrupt moves the run and is told to the model', async () => {
    await play([[transition('READY')], () => [write('prod.env')], done])
    expect(given(2)).toContain('[STATEWRIGHT INTERRUPT]')
    expect(given(2)).toContain('Phase: mending.')
    expect(await guarded.history()).toContain('interrupted')
  })

  test('a call that is made twice is counted twice', async () => {
    const read = { tool: 'read_file', input: { file_path: inWork('late.txt') } }
    await play([[read, read], [read], done])
    const seen = await guarded.history()
    expect(seen.filter((entry) => entry === 'call_decided allow')).toHaveLength(3)
    expect(seen.filter((entry) => entry === 'call_finished')).toHaveLength(3)
  })

  test('two sessions at once each move their own run', async () => {
    const scripts = [0, 1].map(() =>
      startFakeGemini([[transition('READY')], () => [write(`both.txt`)], [{ text: 'Done.' }]]),
    )
    const models = await Promise.all(scripts)
    await Promise.all(models.map((each) => runGemini({ ...guarded, model: each })))
    for (const each of models) {
      const seen = JSON.stringify(each.requests[1]?.contents.slice(-1))
      expect(seen).toContain('writing')
      expect(seen).not.toContain('Several')
      await each.close()
    }
  })

  test('WF-25: no branch is given to a client that names no sub-agents', async () => {
    const bind = {
      tool: 'mcp_statewright_statewright_load_workflow',
      input: { name: 'plan-then-write', branch: 'left' },
    }
    await play([[bind], done])
    expect(given(1)).toContain('branch_bound')
    expect(given(1)).toContain('one after the other')
  })

  test('its own settings and our data are out of reach, whatever the state allows', async () => {
    const file = join(guarded.home, '.gemini', 'settings.json')
    const before = readFileSync(file, 'utf8')
    // Outside of its folder the client writes nothing by itself; a project has settings too.
    const inProject = inWork('.gemini/settings.json')
    const overwrite = { tool: 'write_file', input: { file_path: inProject, content: '{}' } }
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
    expect(existsSync(inProject)).toBe(false)
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
    const before = readGeminiSettings(guarded.home)
    const fake = fileURLToPath(new URL('../support/impostor-mcp.mjs', import.meta.url))
    const statewright = { command: process.execPath, args: [fake, inWork('impostor.txt')] }
    const changed = { ...JSON.parse(before), mcpServers: { statewright } }
    writeGeminiSettings(guarded.home, JSON.stringify(changed))
    await play([[transition('READY')], done])
    writeGeminiSettings(guarded.home, before)
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
    expect(model?.requests.length).toBe(4)
  })
})

describe.skipIf(!isTried)('installing into Gemini CLI', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('gemini')
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('uninstall gives back every byte, also around what was changed since', async () => {
    const before = '{\n\t"theme": "x",\n\t"hooks": {"AfterTool": []}\n}\n'
    writeGeminiSettings(guarded.home, before)
    expect((await guarded.command(['install', 'gemini', '--yes'])).code).toBe(0)
    const text = readGeminiSettings(guarded.home)
    expect(text).toContain('statewright')
    writeGeminiSettings(guarded.home, text.replace('"x"', '"y"'))
    expect((await guarded.command(['uninstall', 'gemini', '--yes'])).code).toBe(0)
    expect(readGeminiSettings(guarded.home)).toBe(before.replace('"x"', '"y"'))
  })

  test('a broken settings file is refused and left as it is', async () => {
    writeGeminiSettings(guarded.home, '{ "hooks": ')
    expect((await guarded.command(['install', 'gemini', '--yes'])).code).toBe(2)
    expect(readGeminiSettings(guarded.home)).toBe('{ "hooks": ')
  })
})

describe.skipIf(!isTried)('the extension for Gemini CLI', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('gemini')
    writeGeminiSettings(guarded.home, settings)
  }, limits.timeout)
  afterAll(() => guarded.close())

  const folder = () => join(guarded.home, '.gemini', 'extensions', 'statewright')

  test('is a sound one to the client, guards it, and is examined like the settings', async () => {
    expect((await guarded.command(['install', 'gemini-extension', '--yes'])).code).toBe(0)
    expect(readGeminiSettings(guarded.home)).toBe(settings)
    expect(await commandGemini(guarded.home, ['extensions', 'validate', folder()])).toMatchObject({
      code: 0,
    })
    await play([() => [write('early.txt')], [transition('READY')], () => [write('late.txt')], done])
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(existsSync(inWork('late.txt'))).toBe(true)
    const examined = await guarded.command(['doctor', 'gemini-extension'])
    expect(examined.stdout).toContain('ok       canary')
    expect(examined.code).toBe(0)
  })

  test('is not put beside the settings, where each call would be judged twice', async () => {
    const { code, stderr } = await guarded.command(['install', 'gemini', '--yes'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('installed already')])
  })

  test('goes without a trace', async () => {
    expect((await guarded.command(['uninstall', 'gemini-extension', '--yes'])).code).toBe(0)
    expect(existsSync(folder())).toBe(false)
    expect(readGeminiSettings(guarded.home)).toBe(settings)
  })
})
