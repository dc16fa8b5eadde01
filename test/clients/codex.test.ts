import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Ran } from '../../packages/server/testing/child.ts'
import {
  type FakeResponses,
  type ResponsesTurn,
  startFakeResponses,
} from '../support/fake-openai-responses.ts'
import { codexConfig, isCodexInstalled, runCodex, writeCodexConfig } from './codex-client.ts'
import {
  type GuardedHome,
  isDriven,
  openGuardedHome,
  planThenWrite,
  variables,
} from './guarded-home.ts'

const isTried = isDriven('Codex', { isInstalled: isCodexInstalled() })

const limits = { timeout: 120_000 }

let guarded: GuardedHome
let model: FakeResponses | undefined

afterEach(() => model?.close())

async function play(script: readonly ResponsesTurn[]): Promise<Ran> {
  model = await startFakeResponses(script)
  return runCodex({ ...guarded, modelUrl: model.url })
}

/** What the model was given anew with a request: results of tools and words of ours. */
function given(request: number): string {
  const before = request === 0 ? 0 : (model?.requests[request - 1]?.input.length ?? 0)
  return JSON.stringify(model?.requests[request]?.input.slice(before) ?? [])
}

const inWork = (name: string) => join(guarded.work, name)
const patch = (...lines: string[]) => ({
  tool: 'apply_patch',
  words: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
})
const write = (name: string) => patch(`*** Add File: ${name}`, '+written')
const shell = (cmd: string) => ({ tool: 'exec_command', input: { cmd } })
const transition = (event: string) => ({
  tool: 'statewright_transition',
  namespace: 'mcp__statewright',
  input: { event },
})
const done: ResponsesTurn = [{ text: 'Done.' }]

describe.skipIf(!isTried)('the real Codex, guarded for its user', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('codex')
    writeCodexConfig(guarded.home, 'http://127.0.0.1:9/v1')
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('without us the same client writes at once', async () => {
    await play([[write('free.txt')], done])
    expect(existsSync(inWork('free.txt'))).toBe(true)
  })

  test('WF-6, WF-14: is held to the state, and let on by the transition', async () => {
    const { code, stderr } = await guarded.command(['install', 'codex', '--yes'])
    expect(`${code}\n${stderr}`).toMatch(/^0\n/)
    await play([[write('early.txt')], [transition('READY')], [write('late.txt')], done])
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
    await play([[shell('ls')], [transition('READY')], [write('brief.txt')], done])
    expect(given(0)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(given(1)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(given(3)).toContain('[STATEWRIGHT] Phase: writing.')
  })

  test('a transition and a write in one message are judged in that order', async () => {
    await play([[transition('READY'), write('after.txt')], done])
    expect(existsSync(inWork('after.txt'))).toBe(true)
  })

  test('SH-10: a shell that writes is denied where only reading is allowed', async () => {
    await play([[shell('ls')], () => [shell(`echo x > ${inWork('shell.txt')}`)], done])
    expect(existsSync(inWork('shell.txt'))).toBe(false)
    expect(given(2)).toContain('tool_not_allowed')
    expect(await guarded.history()).toEqual([
      'run_started',
      'call_decided allow',
      'call_finished',
      'call_decided deny',
    ])
  })

  test('WF-6: a patch is judged by each thing that it does', async () => {
    writeFileSync(inWork('old.txt'), 'one\ntwo\n')
    const move = patch(
      ...[
        '*** Update File: old.txt',
        '*** Move to: ../outside.txt',
        '@@',
        '-one',
        '+three',
        ' two',
      ],
    )
    await play([[move], [patch('*** Delete File: old.txt')], done])
    expect(readFileSync(inWork('old.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(existsSync(join(guarded.home, 'outside.txt'))).toBe(false)
    for (const request of [1, 2]) expect(given(request)).toContain('tool_not_allowed')
  })

  test('WF-28: an interrupt moves the run and is told to the model', async () => {
    await play([[transition('READY')], [write('prod.env')], done])
    expect(given(2)).toContain('[STATEWRIGHT INTERRUPT]')
    expect(given(2)).toContain('Phase: mending.')
    expect(await guarded.history()).toContain('interrupted')
  })

  test('two sessions at once each move their own run', async () => {
    const models = await Promise.all(
      [0, 1].map(() => startFakeResponses([[transition('READY')], [write('both.txt')], done])),
    )
    await Promise.all(models.map(({ url }) => runCodex({ ...guarded, modelUrl: url })))
    for (const { requests, close } of models) {
      const seen = JSON.stringify(requests[1]?.input.slice(-3))
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

  test('its own settings and our data are out of its reach', async () => {
    const files = ['config.toml', 'hooks.json'].map((name) => join(guarded.home, '.codex', name))
    const before = files.map((file) => readFileSync(file, 'utf8'))
    const switchOff = patch('*** Delete File: ../.codex/hooks.json')
    const inProject = patch('*** Add File: .codex/config.toml', '+[features]', '+hooks = false')
    await play([
      [transition('READY')],
      [transition('OPEN')],
      [switchOff],
      [inProject],
      () => [shell(`echo > ${files[0]}`)],
      () => [shell(`cat ${join(guarded.home, 'data')}/*`)],
      done,
    ])
    for (const request of [3, 4, 5, 6]) expect(given(request)).toContain('self_protection')
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before)
    expect(existsSync(inWork('.codex'))).toBe(false)
  })

  test('no answer means no: with the server dead nothing is written, and a turn ends', async () => {
    await play([
      async () => {
        await guarded.server.kill('SIGKILL')
        return [write('dead.txt')]
      },
      () => [shell(`echo x > ${inWork('dead.txt')}`)],
      done,
    ])
    expect(existsSync(inWork('dead.txt'))).toBe(false)
    expect(given(1)).toContain('Statewright could not judge this')
    expect(model?.requests.length).toBe(3)
  })
})

describe.skipIf(!isTried)('the real Codex that may be given another command', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('codex', planThenWrite, { rewrite_with_allow: true })
    writeCodexConfig(guarded.home, 'http://127.0.0.1:9/v1')
    expect((await guarded.command(['install', 'codex', '--yes'])).code).toBe(0)
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('SH-13, SH-15: a blocked variable is really absent', async () => {
    const script = inWork('look.cjs')
    const look = "const { BLOCKED_THING: b, OPEN_THING: o } = process.env; console.log('saw', b, o)"
    writeFileSync(script, look)
    model = await startFakeResponses([
      [transition('READY')],
      [transition('OPEN')],
      [shell(`${process.execPath} ${script}`)],
      done,
    ])
    await runCodex({ ...guarded, modelUrl: model.url, environment: variables })
    expect(given(3)).toContain('saw undefined in-sight')
  })
})

describe.skipIf(!isTried)('a server of our name in Codex that is not ours', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('codex')
    writeCodexConfig(guarded.home, 'http://127.0.0.1:9/v1')
    expect((await guarded.command(['install', 'codex', '--yes'])).code).toBe(0)
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('unjudged_call: what it answered is told, since it never came to us', async () => {
    const fake = fileURLToPath(new URL('../support/impostor-mcp.mjs', import.meta.url))
    const reached = inWork('reached.txt')
    model = await startFakeResponses([[transition('READY')], done])
    const config = join(guarded.home, '.codex', 'config.toml')
    const [node, args] = [process.execPath, [fake, reached]].map((one) => JSON.stringify(one))
    const entry = `command = ${node}\nargs = ${args}`
    const before = readFileSync(config, 'utf8')
    const after = before.replace(/^command = .*\nargs = .*$/m, () => entry)
    expect(after).not.toBe(before)
    writeFileSync(config, after)
    await runCodex({ ...guarded, modelUrl: model.url })
    expect(existsSync(reached)).toBe(true)
    expect(await guarded.history()).toEqual(['run_started', 'gap'])
  })
})

describe.skipIf(!isTried)('installing into Codex', limits, () => {
  const folder = () => join(guarded.home, '.codex')
  const file = (name: string) => join(folder(), name)

  beforeAll(async () => {
    guarded = await openGuardedHome('codex')
    mkdirSync(folder())
  }, limits.timeout)
  afterAll(() => guarded.close())

  test('uninstall gives back every byte, also around what was changed since', async () => {
    const config = codexConfig('http://127.0.0.1:9/v1').trimEnd()
    const hooks = '{ "hooks": {"Stop": [ {"hooks": []} ]} }'
    writeFileSync(file('config.toml'), config)
    writeFileSync(file('hooks.json'), hooks)
    expect((await guarded.command(['install', 'codex', '--yes'])).code).toBe(0)
    expect(readFileSync(file('config.toml'), 'utf8')).toContain('trusted_hash')
    expect(readFileSync(file('hooks.json'), 'utf8')).toContain('PreToolUse')
    const edited = readFileSync(file('config.toml'), 'utf8').replace('# Mine.', '# Still mine.')
    writeFileSync(file('config.toml'), edited)
    expect((await guarded.command(['uninstall', 'codex', '--yes'])).code).toBe(0)
    expect(readFileSync(file('config.toml'), 'utf8')).toBe(config.replace('Mine', 'Still mine'))
    expect(readFileSync(file('hooks.json'), 'utf8')).toBe(hooks)
  })

  test.each([
    ['config.toml', 'model = '],
    ['hooks.json', '{ "hooks": '],
  ])('a broken %s is refused, and nothing is changed', async (name, text) => {
    const whole = { 'config.toml': 'model = "x"\n', 'hooks.json': '{}' }
    for (const [other, content] of Object.entries(whole)) writeFileSync(file(other), content)
    writeFileSync(file(name), text)
    expect((await guarded.command(['install', 'codex', '--yes'])).code).toBe(2)
    for (const [other, content] of Object.entries({ ...whole, [name]: text })) {
      expect(readFileSync(file(other), 'utf8')).toBe(content)
    }
  })
})
