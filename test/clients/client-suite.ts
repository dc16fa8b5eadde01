import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { abilities } from './abilities.ts'
import { done, driveClient, limits } from './drive-client.ts'
import type { DrivenClient } from './driven-client.ts'
import { isDriven } from './guarded-home.ts'

const impostor = fileURLToPath(new URL('../support/impostor-mcp.mjs', import.meta.url))

/** What every client is held to, as far as it can be (`abilities.ts`); says whether it is here. */
export function clientSuite<Reply>(client: DrivenClient<Reply>, isShort = false): boolean {
  const { isInstalled } = client
  const isTried = isDriven(client.name, { isInstalled, isShort })
  describe.skipIf(!isTried)(`the real ${client.name}, guarded for its user`, limits, () =>
    guardedTests(client),
  )
  describe.skipIf(!isTried)(`installing into ${client.name}`, limits, () => settingsTests(client))
  return isTried
}

function guardedTests<Reply>(client: DrivenClient<Reply>): void {
  const can = abilities[client.id]
  const { read, shell, transition } = client
  const driven = driveClient(client)
  const { guarded, model, inWork, write, play, playOpen, received } = driven

  test('without us the same client writes at once', async () => {
    await play([[write('free.txt')], done])
    expect(existsSync(inWork('free.txt'))).toBe(true)
  })

  test('WF-6, WF-14: is held to the state, and let on by the transition', async () => {
    await driven.install()
    await play([[write('early.txt')], [transition('READY')], [write('late.txt')], done])
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(received(1)).toContain('tool_not_allowed')
    expect(received(1)).toContain('call statewright_transition with READY to writing')
    expect(readFileSync(inWork('late.txt'), 'utf8')).toBe('written\n')
    expect(await guarded().history()).toEqual([
      'run_started',
      'call_decided deny',
      'transitioned',
      'call_decided allow',
      'call_finished',
    ])
  })

  test('WF-13: the model is given the brief with the prompt and beside each result', async () => {
    await play([
      [read(inWork('late.txt'))],
      [transition('READY')],
      [read(inWork('late.txt'))],
      done,
    ])
    expect(model().brief(0)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(model().brief(1)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(model().brief(3)).toContain('[STATEWRIGHT] Phase: writing.')
  })

  test.skipIf(!can.ordersCalls)(
    'a transition and a write in one message are judged in that order',
    async () => {
      await play([[transition('READY'), write('after.txt')], done])
      expect(existsSync(inWork('after.txt'))).toBe(true)
    },
  )

  test('SH-10: a shell that writes is denied where only reading is allowed', async () => {
    await play([
      [shell(`grep -c . ${inWork('late.txt')}`)],
      [shell(`echo x > ${inWork('shell.txt')}`)],
      done,
    ])
    expect(existsSync(inWork('shell.txt'))).toBe(false)
    expect(received(2)).toContain('tool_not_allowed')
    const reading = can.readsByShell
      ? ['call_decided allow', 'call_finished']
      : ['call_decided deny']
    expect(await guarded().history()).toEqual(['run_started', ...reading, 'call_decided deny'])
  })

  test('WF-28: an interrupt moves the run and is told to the model', async () => {
    await play([[transition('READY')], [write('prod.env')], done])
    expect(received(2)).toContain('[STATEWRIGHT INTERRUPT]')
    expect(model().brief(2)).toContain('Phase: mending.')
    expect(await guarded().history()).toContain('interrupted')
  })

  test('a call that is made twice is counted twice', async () => {
    const look = read(inWork('late.txt'))
    await play([[look, look], [look], done])
    const entries = await guarded().history()
    expect(entries.filter((entry) => entry === 'call_decided allow')).toHaveLength(3)
    expect(entries.filter((entry) => entry === 'call_finished')).toHaveLength(3)
    expect(entries).not.toContain('noted')
  })

  test('two sessions at once each move their own run', async () => {
    const script = [[transition('READY')], [write('both.txt')], done]
    const models = await Promise.all([client.startModel(script), client.startModel(script)])
    await Promise.all(models.map(({ url }) => client.run({ ...guarded(), modelUrl: url })))
    for (const each of models) {
      expect(each.received(1)).toContain('writing')
      expect(each.received(1)).not.toContain('Several')
      await each.close()
    }
  })

  test('what it starts is the agent, even with the token of a person', async () => {
    const script = inWork('approve.mjs')
    const { url, personToken } = guarded().server
    const request = {
      method: 'POST',
      body: '{"kind":"person"}',
      headers: { authorization: `Bearer ${personToken}`, 'content-type': 'application/json' },
    }
    const ask = `await fetch('${url}/api/tokens', ${JSON.stringify(request)})`
    writeFileSync(script, `console.log('ANSWER', (await (${ask}).json()).code)`)
    await playOpen(shell(`${process.execPath} ${script}`))
    expect(received(3)).toContain('ANSWER self_approval')
  })

  test('its own settings and our data are out of reach, whatever the state allows', async () => {
    const { calls, files, absent } = client.switchOff(guarded())
    const before = files.map((file) => readFileSync(file, 'utf8'))
    await playOpen(...calls, shell(`cat ${join(guarded().home, 'data')}/*`))
    const answers = [...calls.keys(), calls.length].map((index) => received(index + 3))
    for (const answer of answers) expect(answer).toContain('self_protection')
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before)
    expect(absent.filter((file) => existsSync(file))).toEqual([])
  })

  test.skipIf(!can.changesCommands)(
    'SH-12: a blocked variable is really absent from what it starts',
    async () => {
      // What a command names itself is read before it runs; a program may look anywhere.
      const look =
        "const { BLOCKED_THING: b, OPEN_THING: o } = process.env; console.log('saw', b, o)"
      writeFileSync(inWork('look.cjs'), look)
      await playOpen(shell(`${process.execPath} ${inWork('look.cjs')}`))
      expect(received(3)).toContain('saw undefined in-sight')
      expect(received(3)).not.toContain('out-of-sight')
      expect(await guarded().history()).toContain('call_finished')
    },
  )

  test.skipIf(client.impersonate === undefined)(
    'another server under our name is judged as any other',
    async () => {
      const { files } = client.switchOff(guarded())
      const before = files.map((file) => readFileSync(file, 'utf8'))
      client.impersonate?.(guarded().home, [process.execPath, impostor, inWork('impostor.txt')])
      await play([[transition('READY')], done])
      for (const [index, file] of files.entries()) writeFileSync(file, before[index] ?? '')
      expect(received(1)).toContain('tool_not_allowed')
      expect(existsSync(inWork('impostor.txt'))).toBe(false)
    },
  )

  // The last one: it takes the server away.
  test('no answer means no: with the server dead nothing is written, and a turn ends', async () => {
    await play([
      [transition('READY')],
      async () => {
        await guarded().server.kill('SIGKILL')
        return [write('dead.txt')]
      },
      [shell(`echo x > ${inWork('dead.txt')}`)],
      done,
    ])
    expect(existsSync(inWork('dead.txt'))).toBe(false)
    if (can.passesFaultsOn) expect(received(2)).toContain('could not check')
    expect(model().count()).toBe(4)
  })
}

function settingsTests<Reply>(client: DrivenClient<Reply>): void {
  const { id, settings } = client
  const { guarded, inHome } = driveClient(client)
  const textOf = (path: string) => readFileSync(inHome(path), 'utf8')
  const put = (path: string, text: string) => {
    mkdirSync(dirname(inHome(path)), { recursive: true })
    writeFileSync(inHome(path), text)
  }
  const isMade = () => settings.made !== undefined && existsSync(inHome(settings.made))
  const command = async (word: 'install' | 'uninstall') =>
    (await guarded().command([word, id, '--user', '--yes'])).code

  test('uninstall gives back every byte, also around what was changed since', async () => {
    for (const { path, before } of settings.files) put(path, before)
    expect(await command('install')).toBe(0)
    expect(isMade()).toBe(settings.made !== undefined)
    for (const { path, before, change } of settings.files) {
      const text = textOf(path)
      expect([path, text]).not.toEqual([path, before])
      if (abilities[id].hidesKey) expect(text).not.toContain('sw_agent_')
      put(path, text.replace(...change))
    }
    expect(await command('uninstall')).toBe(0)
    for (const { path, before, change } of settings.files) {
      expect([path, textOf(path)]).toEqual([path, before.replace(...change)])
    }
    expect(isMade()).toBe(false)
  })

  test.each(settings.files)('a broken $path is refused, and nothing is changed', async (broken) => {
    const files = settings.files.map(({ path, before }) => [path, before] as const)
    const texts = new Map([...files, [broken.path, broken.broken]])
    for (const [path, text] of texts) put(path, text)
    expect(await command('install')).toBe(2)
    expect([...texts.keys()].map((path) => [path, textOf(path)])).toEqual([...texts])
    expect(isMade()).toBe(false)
    for (const path of texts.keys()) rmSync(inHome(path))
  })
}
