import { join } from 'node:path'
import { definitionHash, ok, parseDefinition } from '@statewright/core/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ann, openRuntime, type RuntimeWorld, start } from '../../testing/runtime.ts'
import { openPinned, type PinnedConfig } from './pinned.ts'
import { runtimeSettings } from './runtime-settings.ts'
import { defaults, type Settings } from './schema.ts'

let world: RuntimeWorld
let written: Settings
let projectKeys: string[]

beforeEach(async () => {
  world = await openRuntime()
  written = { ...defaults, strict: true }
  projectKeys = []
})
afterEach(() => world.close())

async function open(asking: { askFirst?: () => Promise<boolean> } = {}): Promise<PinnedConfig> {
  // Nobody looks at origins here.
  const read = () => ok({ settings: written, origins: {} as never, projectKeys, unknown: [] })
  const opened = await openPinned({ store: world.store, read, now: () => 1, ...asking })
  if (!opened.ok) throw new Error(opened.error.message)
  return opened.value
}

async function startGuardedRun(): Promise<void> {
  const definition = {
    id: 'a',
    initial: 'b',
    states: { b: { on: { C: 'c' } }, c: { type: 'final' } },
  }
  await start(world.runtime, ann, { definition })
}

describe('the configuration that holds', () => {
  test('is the first one there is, and any stricter one while no run is live', async () => {
    written = { ...written, mode: 'observe', strict: false }
    expect((await open()).current()).toMatchObject({ mode: 'observe', strict: false })
    written = { ...written, mode: 'enforce', strict: true, protected_paths: ['deploy'] }
    const pinned = await open()
    expect(pinned.current()).toMatchObject({ mode: 'enforce', protected_paths: ['deploy'] })
    expect(pinned.waiting()).toBeNull()
  })

  test('SH-18a: is never a looser one unasked, though no run is live', async () => {
    await open()
    const strict = written
    written = { ...strict, mode: 'observe', protected_paths: ['deploy'] }
    for (const pinned of [await open(), await open()]) {
      expect(pinned.current()).toMatchObject({ mode: 'enforce', protected_paths: [] })
      expect(pinned.waiting()?.changes.map(({ key, loosens }) => [key, loosens !== null])).toEqual([
        ['mode', true],
        ['protected_paths', false],
      ])
    }
    written = { ...strict, protected_paths: ['deploy'] }
    expect((await open()).current().protected_paths).toEqual(['deploy'])
  })

  test.each<[string, Partial<Settings>, Partial<Settings>]>([
    ['strict', { strict: true }, { strict: false }],
    ['workflow', { workflow: 'a' }, { workflow: null }],
    ['workflow', { workflow: 'a' }, { workflow: 'b' }],
    ['agent_may_load', { agent_may_load: [] }, { agent_may_load: null }],
    ['sandbox', { sandbox: 'required' }, { sandbox: 'auto' }],
    ['upstreams', {}, { upstreams: { fs: { command: 'evil' } } }],
    ['notify', {}, { notify: { command: ['evil'] } }],
    ['shell', {}, { shell: { programs: { evil: { does: 'read' } } } }],
    ['prices', {}, { prices: { 'claude*': { input: 0, output: 0 } } }],
  ])('SH-18a: a looser %s waits for a person', async (key, before, after) => {
    written = { ...written, ...before }
    await open()
    written = { ...written, ...after }
    const pinned = await open()
    expect(pinned.waiting()?.changes).toMatchObject([{ key, loosens: expect.any(String) }])
    expect(pinned.current()).toMatchObject(before)
  })

  const outward: Partial<Settings> = {
    upstreams: { fs: { command: 'node', args: ['x.mjs'] } },
    notify: { command: ['tell'] },
    mail: { resend: { key_env: 'KEY', url: 'https://mail.test' } },
  }
  const off = { upstreams: {}, notify: {}, mail: null }

  test('SH-18b: has nothing that a project starts or calls, until accepted', async () => {
    written = { ...written, ...outward }
    projectKeys = ['upstreams', 'notify', 'mail', 'strict']
    for (const pinned of [await open(), await open()]) {
      const { upstreams, notify, mail, strict } = pinned.current()
      expect({ upstreams, notify, mail, strict }).toEqual({ ...off, strict: true })
      expect(pinned.waiting()?.changes.map(({ key, loosens }) => [key, loosens])).toEqual([
        ['upstreams', 'The server starts fs: `node x.mjs`.'],
        ['mail', expect.any(String)],
        ['notify', expect.stringMatching(/Started for each approval: `tell`\.$/)],
      ])
    }
    const pinned = await open()
    await pinned.accept('ann', pinned.waiting()?.hash)
    for (const one of [pinned, await open()]) {
      expect([one.current(), one.waiting()]).toMatchObject([outward, null])
    }
  })

  test('SH-18b: has what whoever starts the server first says yes to', async () => {
    written = { ...written, ...outward }
    projectKeys = ['upstreams']
    const pinned = await open({ askFirst: async () => true })
    expect([pinned.current(), pinned.waiting()]).toMatchObject([outward, null])
    written = { ...written, upstreams: { fs: { command: 'evil' } } }
    // Later only a proof counts: anyone who sits at the terminal is not asked.
    const later = await open({ askFirst: async () => true })
    expect(later.current()).toMatchObject(outward)
    expect(later.waiting()?.changes).toMatchObject([{ key: 'upstreams' }])
  })

  test("SH-18b: has programs of the user's file, but not with the project's files", async () => {
    const files = [{ file: 'x.mjs', sha256: 'a' }]
    const mine = { command: 'mine' }
    const theirs = { command: 'node', args: ['x.mjs'], files }
    written = { ...written, ...outward, upstreams: { mine, theirs } }
    const pinned = await open()
    expect(pinned.current()).toMatchObject({ ...outward, upstreams: { mine } })
    expect(Object.keys(pinned.current().upstreams)).toEqual(['mine'])
  })

  test('SH-18b: a changed file of a program waits for a person', async () => {
    const entry = (sha256: string) => ({
      fs: { command: 'node', args: ['x.mjs'], files: [{ file: 'x.mjs', sha256 }] },
    })
    await open()
    written = { ...written, upstreams: entry('a') }
    const pinned = await open()
    await pinned.accept('ann', undefined)
    written = { ...written, upstreams: entry('b') }
    await pinned.reload()
    expect(pinned.waiting()?.changes).toMatchObject([
      { key: 'upstreams', loosens: 'The server starts fs: `node x.mjs` (changed: x.mjs).' },
    ])
    expect(pinned.current().upstreams).toEqual(entry('a'))
  })

  test('SH-18a: is not that of a file which puts other rules over a definition', async () => {
    const rules = (tool: string) => ({
      file: 'look.yaml',
      text: `id: look
initial: a
states: { a: { allowed_tools: [${tool}], on: { B: b } }, b: { type: final } }
`,
    })
    written = { ...written, definitions: [] }
    await open()
    // New rules replace nothing.
    written = { ...written, definitions: [rules('Read')] }
    expect((await open()).waiting()).toBeNull()
    const { definition } = parseDefinition(rules('Read').text)
    if (definition === undefined) throw new Error('it cannot be read')
    await world.store.definitions.save({
      name: 'look',
      kind: 'workflow',
      hash: definitionHash(definition),
      text: rules('Read').text,
      savedBy: 'configuration',
      savedAt: 1,
      draft: false,
    })
    written = { ...written, definitions: [] }
    expect((await open()).waiting()).toBeNull()
    written = { ...written, definitions: [rules('Bash')] }
    const pinned = await open()
    expect(pinned.waiting()?.changes).toMatchObject([
      { key: 'definitions', loosens: 'The rules have changed in look.' },
    ])
    expect(pinned.current().definitions).toEqual([])
  })

  test('stays while a run is live; the change waits for a person, over restarts too', async () => {
    await open()
    await startGuardedRun()
    written = { ...written, strict: false, mode: 'observe' }
    for (const pinned of [await open(), await open()]) {
      expect(pinned.current()).toMatchObject({ strict: true, mode: 'enforce' })
      expect(pinned.waiting()?.changes).toMatchObject([
        { key: 'strict', from: true, to: false },
        { key: 'mode', from: 'enforce', to: 'observe' },
      ])
    }
    const pinned = await open()
    const accepted = await pinned.accept('ann', pinned.waiting()?.hash)
    expect([accepted.ok, pinned.current().mode, pinned.waiting()]).toEqual([true, 'observe', null])
    expect((await open()).current().mode).toBe('observe')
  })

  test('a change of the change is not what the person said yes to', async () => {
    const pinned = await open()
    await startGuardedRun()
    written = { ...written, agent_may_load: ['a'] }
    await pinned.reload()
    const seen = pinned.waiting()?.hash
    written = { ...written, mode: 'observe' }
    await pinned.reload()
    const accepted = await pinned.accept('ann', seen)
    expect(accepted).toMatchObject({ ok: false, error: { code: 'config_invalid' } })
    expect(pinned.current().mode).toBe('enforce')
  })

  test('taking the change back leaves nothing to accept', async () => {
    const pinned = await open()
    await startGuardedRun()
    const before = written
    written = { ...written, strict: false }
    await pinned.reload()
    expect(pinned.waiting()).not.toBeNull()
    written = before
    await pinned.reload()
    expect(pinned.waiting()).toBeNull()
  })

  test('what is accepted is in force for the runtime at once', async () => {
    const pinned = await open()
    const settings = runtimeSettings(pinned, {
      project: world.folder,
      data: world.folder,
      protectedPaths: ['/kept'],
      files: [],
      home: world.folder,
      homes: [],
      clientFolders: [],
    })
    expect([settings.strict, settings.protectedPaths]).toEqual([true, ['/kept']])
    await startGuardedRun()
    written = { ...written, strict: false, protected_paths: ['.env', '/etc/x'] }
    await pinned.reload()
    expect(settings.strict).toBe(true)
    await pinned.accept('ann', undefined)
    expect(settings.strict).toBe(false)
    expect(settings.askPaths).toEqual([join(world.folder, '.env'), '/etc/x'])
  })
})

describe('a mode that a person chose', () => {
  beforeEach(() => {
    written = { ...defaults }
  })

  test('holds at once and over restarts, while runs are live and while none is', async () => {
    const pinned = await open()
    await pinned.chooseMode('observe', 'ann')
    for (const one of [pinned, await open()]) {
      expect([one.current().mode, one.waiting()]).toEqual(['observe', null])
      expect(one.mode()).toMatchObject({ configured: 'enforce', choice: { by: 'ann' } })
    }
    await startGuardedRun()
    expect((await open()).current().mode).toBe('observe')
  })

  test('ends when the configuration changes its own word, once that is accepted', async () => {
    written = { ...written, mode: 'observe' }
    const pinned = await open()
    await pinned.chooseMode('enforce', 'ann')
    await startGuardedRun()
    written = { ...written, strict: true }
    await pinned.reload()
    await pinned.accept('ann', undefined)
    // Another setting is not a word on the mode.
    expect(pinned.current()).toMatchObject({ strict: true, mode: 'enforce' })
    written = { ...written, mode: 'enforce' }
    await pinned.reload()
    expect(pinned.mode().choice).not.toBeNull()
    await pinned.accept('ann', undefined)
    expect(pinned.mode()).toMatchObject({ mode: 'enforce', choice: null, ended: { by: 'ann' } })
    written = { ...written, mode: 'observe' }
    const later = await open()
    expect([later.current().mode, later.waiting()?.changes.length]).toEqual(['enforce', 1])
  })

  test('ND-1: what one node was told is not overwritten by another that did not know', async () => {
    const [one, other] = [await open(), await open()]
    written = { ...written, protected_paths: ['deploy'] }
    await startGuardedRun()
    // All at once, and each of them begins with what was read before.
    await Promise.all([one.chooseMode('observe', 'ann'), other.reload()])
    await Promise.all([other.accept('bob', undefined), one.follow()])
    await Promise.all([one.follow(), other.follow()])
    const later = await open()
    for (const pinned of [one, other, later]) {
      expect(pinned.current()).toMatchObject({ mode: 'observe', protected_paths: ['deploy'] })
    }
  })

  test('is taken over by another node on the same store', async () => {
    const [one, other] = [await open(), await open()]
    await one.chooseMode('observe', 'ann')
    expect(other.current().mode).toBe('enforce')
    await other.follow()
    expect(other.current().mode).toBe('observe')
  })
})
