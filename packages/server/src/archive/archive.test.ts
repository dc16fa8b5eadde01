import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import { agent, ann, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { transition } from '../runtime/runs/change-run.ts'
import { verifyRun } from '../runtime/runs/read-run.ts'
import type { Store } from '../store/store.ts'
import { Archiver } from './archiver.ts'
import { verifyArchive } from './verify-archive.ts'

const dayMs = 86_400_000
let now = Date.UTC(2026, 0, 1)
let ids = 0
let failAt: string | undefined
let world: RuntimeWorld
let folder: string

const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${++ids}` }

const closing = {
  id: 'closing',
  initial: 'work',
  after_end: 'closed',
  states: { work: { allowed_tools: ['Read'], on: { DONE: 'done' } }, done: { type: 'final' } },
}

/** Fails once at a step of the archive, as a server that is killed there does. */
function failing(store: Store): Store {
  const at = <Args extends unknown[], Value>(name: string, work: (...args: Args) => Value) => {
    return (...args: Args): Value => {
      if (failAt !== name) return work(...args)
      failAt = undefined
      throw new Error(`killed at ${name}`)
    }
  }
  const { archive } = store
  return {
    ...store,
    archive: {
      ...archive,
      mark: at('mark', archive.mark),
      removeEntries: at('removeEntries', archive.removeEntries),
      finish: at('finish', archive.finish),
    },
  }
}

beforeAll(async () => {
  world = await openRuntime({ clock, settings: { keepMs: 30 * dayMs }, wrapStore: failing })
  folder = join(world.folder, 'archive')
  await save(world.runtime, closing)
})
afterAll(() => world.close())

const broken: string[] = []
async function pass(): Promise<number> {
  const made = new Archiver(world.runtime, {
    folder,
    node: 'n1',
    onArchived: () => {},
    onBroken: (run) => broken.push(run),
    onFault: () => {},
  })
  try {
    return await made.pass()
  } finally {
    await made.close()
  }
}

const read = (session: string, id: string) =>
  check(world.guard, agent, { session, callId: id, tool: 'Read', input: { file_path: '/srv/a' } })

/** A run that ended long ago, and another one that has the newest entry. */
async function oldRun(session: string): Promise<string> {
  const run = await start(world.runtime, agent, { workflow: 'closing', session })
  expect(await read(session, `${session}-1`)).toMatchObject({ decision: 'allow' })
  const ended = await transition(world.runtime, agent, { run, event: 'DONE' })
  expect(ended.ok).toBe(true)
  now += 31 * dayMs
  await start(world.runtime, ann, { workflow: 'closing' })
  return run
}

const filesOf = (run: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(run))

describe('the archive', () => {
  test('AR-1, AR-2, AR-4: an old history moves into a private file that proves it', async () => {
    const run = await oldRun('s1')
    const before = await read('s1', 's1-before')
    now += 31 * dayMs
    await start(world.runtime, ann, { workflow: 'closing' })
    const bodies = await world.store.runs.entryBodies(run, { after: 0, limit: 99 })
    expect(await pass()).toBe(1)
    expect(await world.store.runs.entryBodies(run, { after: 0, limit: 99 })).toEqual([])
    const [name = ''] = filesOf(run)
    expect(filesOf(run)).toEqual([name])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const [verified] = verifyArchive([folder])
    expect(verified).toMatchObject({ runId: run, ok: true, entries: bodies.length })
    expect(await verifyRun(world.runtime, run)).toEqual({
      ok: true,
      entries: 0,
      archived: bodies.length,
    })
    // The run still closes its session, and what is asked there goes on behind the archive.
    const after = await read('s1', 's1-after')
    expect([before, after]).toMatchObject([
      { decision: 'deny', code: 'no_active_run' },
      { decision: 'deny', code: 'no_active_run' },
    ])
    const whole = await verifyRun(world.runtime, run)
    expect(whole).toMatchObject({ ok: true, archived: bodies.length })
  })

  test('AR-2: what a run was told later is archived behind it and proven with it', async () => {
    const [{ runId = '' } = {}] = await world.store.archive.list({ limit: 1 })
    now += 31 * dayMs
    await start(world.runtime, ann, { workflow: 'closing' })
    const { entries } = await verifyRun(world.runtime, runId)
    expect(entries).toBeGreaterThan(0)
    expect(await pass()).toBe(1)
    expect(filesOf(runId)).toHaveLength(2)
    expect(verifyArchive([folder])).toMatchObject([{ runId, ok: true }])
    const [later = ''] = filesOf(runId).filter((name) => name.includes('.from-'))
    expect(verifyArchive([join(folder, later)])).toMatchObject([
      { ok: false, problem: 'entry 1 is missing' },
    ])
  })

  test.each(['mark', 'removeEntries', 'finish'])(
    'AR-3: a server that is killed at %s loses nothing and goes on at the next pass',
    async (step) => {
      const run = await oldRun(`killed-${step}`)
      failAt = step
      await expect(pass()).rejects.toThrow('killed')
      const left = await world.store.runs.entryBodies(run, { after: 0, limit: 99 })
      expect(left.length > 0 || verifyArchive([folder]).some(({ runId }) => runId === run)).toBe(
        true,
      )
      await pass()
      expect(await world.store.archive.unfinished(9)).toEqual([])
      expect(await world.store.runs.entryBodies(run, { after: 0, limit: 99 })).toEqual([])
      expect(filesOf(run)).toHaveLength(1)
      expect(verifyArchive([folder]).filter(({ ok }) => !ok)).toEqual([])
    },
  )

  test('AR-3: another node that has the work is left to it until it falls silent', async () => {
    const run = await oldRun('leased')
    await world.store.settings.set('archive.lease', `n2 ${now + 60_000}`)
    expect(await pass()).toBe(0)
    now += 61_000
    expect(await pass()).toBe(1)
    expect(filesOf(run)).toHaveLength(1)
  })

  test('AR-4: a file that was changed, cut or made up is found', async () => {
    const run = await oldRun('changed')
    await pass()
    const [name = ''] = filesOf(run)
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    const lines = text.split('\n')
    const found = (changed: string) => {
      writeFileSync(path, changed)
      return verifyArchive([path])[0]?.problem
    }
    expect(found(text.replace('"decision":"allow"', '"decision":"deny"'))).toBe(
      'a line was changed',
    )
    expect(found(lines.slice(0, -2).join('\n'))).toBe('its end is missing')
    expect(found('{"format":"other"}\n')).toContain('does not begin')
    expect(found(text)).toBeUndefined()
  })

  test('AR-4: a copy that a killed node left does no harm, another story does', async () => {
    const run = await oldRun('copied')
    await pass()
    const [name = ''] = filesOf(run)
    const text = readFileSync(join(folder, name), 'utf8')
    const copy = join(world.folder, 'copy.jsonl')
    writeFileSync(copy, text)
    const files = [join(folder, name), copy]
    expect(verifyArchive(files)).toMatchObject([{ runId: run, ok: true }])
    // Whole by itself, and not what the other file tells.
    const body = text
      .slice(0, text.indexOf('{"end"'))
      .replace(/"hash":"\w{9}/g, '"hash":"fffffffff')
    const sha256 = createHash('sha256').update(body).digest('hex')
    const end = { end: true, lines: body.split('\n').length - 1, sha256 }
    writeFileSync(copy, `${body}${JSON.stringify(end)}\n`)
    expect(verifyArchive(files)).toMatchObject([
      { runId: run, ok: false, problem: 'two files differ in entry 1' },
    ])
  })

  test('AR-3: a history that is not whole stays where it is, and people are told', async () => {
    const run = await oldRun('tampered')
    await world.store.settle()
    const database = new DatabaseSync(join(world.folder, 'statewright.db'))
    database.prepare('DELETE FROM entries WHERE run_id = ? AND seq = 1').run(run)
    database.close()
    expect(await pass()).toBe(0)
    expect([broken, filesOf(run)]).toEqual([[run], []])
    expect(existsSync(folder)).toBe(true)
  })
})
