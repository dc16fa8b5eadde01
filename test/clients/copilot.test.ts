import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Ran } from '../../packages/server/testing/child.ts'
import { type ChatTurn, type FakeChat, startFakeChat } from '../support/fake-openai-chat.ts'
import { isCopilotInstalled, runCopilot } from './copilot-client.ts'
import { type GuardedHome, isDriven, openGuardedHome } from './guarded-home.ts'

const isTried = isDriven('Copilot CLI', { isInstalled: isCopilotInstalled() })

const limits = { timeout: 120_000 }

let guarded: GuardedHome
let model: FakeChat | undefined

afterEach(() => model?.close())

async function play(script: readonly ChatTurn[]): Promise<Ran> {
  model = await startFakeChat(script)
  const environment = { BLOCKED_THING: 'out-of-sight', OPEN_THING: 'in-sight' }
  return runCopilot({ ...guarded, modelUrl: model.url, environment })
}

/** What the model was given anew with a request: results of tools and words of ours. */
function given(request: number): string {
  // The first message is the client's own long instruction.
  const before = request === 0 ? 1 : (model?.requests[request - 1]?.messages.length ?? 0)
  return JSON.stringify(model?.requests[request]?.messages.slice(before) ?? [])
}

const inWork = (name: string) => join(guarded.work, name)
const write = (name: string) => ({
  tool: 'create',
  input: { path: inWork(name), file_text: 'written\n' },
})
const shell = (command: string) => ({ tool: 'bash', input: { command, description: 'x' } })
const transition = (event: string) => ({
  tool: 'statewright-statewright_transition',
  input: { event },
})
const done: ChatTurn = [{ text: 'Done.' }]

describe.skipIf(!isTried)('the real Copilot CLI, guarded for its user', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('copilot')
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('without us the same client writes at once', async () => {
    await play([() => [write('free.txt')], done])
    expect(existsSync(inWork('free.txt'))).toBe(true)
  })

  test('WF-6, WF-14: is held to the state, and let on by the transition', async () => {
    const { code, stderr } = await guarded.command(['install', 'copilot', '--yes'])
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
    const read = () => [{ tool: 'view', input: { path: inWork('late.txt') } }]
    await play([read, [transition('READY')], read, done])
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
    const read = { tool: 'view', input: { path: inWork('late.txt') } }
    await play([[read, read], [read], done])
    const entries = await guarded.history()
    expect(entries.filter((entry) => entry === 'call_decided allow').length).toBe(3)
    expect(entries.filter((entry) => entry === 'call_finished').length).toBe(3)
    expect(entries).not.toContain('noted')
  })

  test('two sessions at once each move their own run', async () => {
    const models = await Promise.all(
      [0, 1].map(() => startFakeChat([[transition('READY')], () => [write('both.txt')], done])),
    )
    await Promise.all(models.map(({ url }) => runCopilot({ ...guarded, modelUrl: url })))
    for (const { requests, close } of models) {
      const seen = JSON.stringify(requests[1]?.messages.slice(-3))
      expect(seen).toContain('writing')
      expect(seen).not.toContain('Several')
      await close()
    }
  })

  test('what it starts is the agent, even with the token of a person', async () => {
    const script = inWork('approve.mjs')
    const request = {
      method: 'POST',
      body: '{"kind":"person"}',
      headers: {
        authorization: `Bearer ${guarded.server.personToken}`,
        'content-type': 'application/json',
      },
    }
    const ask = `await fetch('${guarded.server.url}/api/tokens', ${JSON.stringify(request)})`
    writeFileSync(script, `console.log('ANSWER', (await (${ask}).json()).code)`)
    await play([
      [transition('READY')],
      [transition('OPEN')],
      [shell(`${process.execPath} ${script}`)],
      done,
    ])
    expect(given(3)).toContain('ANSWER self_approval')
  })

  test('a sub-agent is held to the run of the session that started it', async () => {
    const agent = {
      tool: 'task',
      input: {
        agent_type: 'general-purpose',
        description: 'x',
        prompt: 'sub',
        name: 'sub',
        mode: 'sync',
      },
    }
    await play([
      [transition('READY')],
      [transition('OPEN')],
      [agent],
      // These are the sub-agent's.
      () => [write('sub.txt')],
      [transition('DONE')],
      [{ text: 'Sub-agent done.' }],
      done,
    ])
    expect(readFileSync(inWork('sub.txt'), 'utf8')).toBe('written\n')
    expect(JSON.stringify(model?.requests[5]?.messages)).toContain('done')
    const entries = await guarded.history()
    expect(entries.filter((entry) => entry === 'run_started').length).toBe(1)
    expect(entries.filter((entry) => entry === 'transitioned').length).toBe(3)
  })

  test('its own settings and our data are out of its reach', async () => {
    const files = ['hooks/statewright.json', 'mcp-config.json'].map((name) =>
      join(guarded.home, '.copilot', name),
    )
    const before = files.map((file) => readFileSync(file, 'utf8'))
    await play([
      [transition('READY')],
      [transition('OPEN')],
      () => [{ tool: 'create', input: { path: files[0], file_text: '{}' } }],
      () => [{ tool: 'create', input: { path: inWork('.github/hooks/x.json'), file_text: '{}' } }],
      () => [shell(`rm ${files[1]}`)],
      () => [shell(`cat ${join(guarded.home, 'data')}/*`)],
      done,
    ])
    for (const request of [3, 4, 5, 6]) expect(given(request)).toContain('self_protection')
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before)
    expect(existsSync(inWork('.github'))).toBe(false)
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
  })

  test('no answer means no: with the server dead nothing is written, and a turn ends', async () => {
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

describe.skipIf(!isTried)('installing into Copilot CLI', limits, () => {
  const folder = () => join(guarded.home, '.copilot')
  const servers = () => join(folder(), 'mcp-config.json')
  const hooks = () => join(folder(), 'hooks', 'statewright.json')

  beforeAll(async () => {
    guarded = await openGuardedHome('copilot')
    mkdirSync(folder())
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('uninstall gives back every byte, also around what was changed since', async () => {
    const before = '{\n\t"mcpServers": {"x": {"command": "y"} }\n}\n'
    writeFileSync(servers(), before)
    expect((await guarded.command(['install', 'copilot', '--yes'])).code).toBe(0)
    const text = readFileSync(servers(), 'utf8')
    expect(text).toContain('statewright')
    expect(existsSync(hooks())).toBe(true)
    writeFileSync(servers(), text.replace('"y"', '"z"'))
    expect((await guarded.command(['uninstall', 'copilot', '--yes'])).code).toBe(0)
    expect(readFileSync(servers(), 'utf8')).toBe(before.replace('"y"', '"z"'))
    expect(existsSync(join(folder(), 'hooks'))).toBe(false)
  })

  test('a broken settings file is refused, and nothing is changed', async () => {
    writeFileSync(servers(), '{ "mcpServers": ')
    expect((await guarded.command(['install', 'copilot', '--yes'])).code).toBe(2)
    expect(readFileSync(servers(), 'utf8')).toBe('{ "mcpServers": ')
    expect(existsSync(hooks())).toBe(false)
  })

  test('hooks of that name that are not ours are left alone', async () => {
    writeFileSync(servers(), '{}')
    mkdirSync(join(folder(), 'hooks'), { recursive: true })
    writeFileSync(hooks(), '{"version": 1}')
    expect((await guarded.command(['install', 'copilot', '--yes'])).code).toBe(2)
    expect(readFileSync(hooks(), 'utf8')).toBe('{"version": 1}')
    expect(readFileSync(servers(), 'utf8')).toBe('{}')
  })
})
