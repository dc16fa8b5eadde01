import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../testing/server.ts'
import { Archiver } from '../archive/archiver.ts'
import { archiveRoutes } from './routes/archive.ts'

const dayMs = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'statewright-archive-'))
let now = Date.now()
let ids = 0
let server: TestServer
let person: string
let agent: string
let run: string

const ask = (path: string, token = person) => server.ask('GET', path, { token })

beforeAll(async () => {
  server = await testServer({
    clock: { now: () => now, newId: (prefix) => `${prefix}_${++ids}` },
    settings: { keepMs: 90 * dayMs },
    routes: archiveRoutes(folder),
  })
  person = await server.token('person')
  agent = await server.token('agent')
  await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
  const begin = async () => {
    const body = { workflow: 'release', context: { plan: 'a' } }
    return (await server.ask('POST', '/api/runs', { token: agent, body })).body.run_id
  }
  run = await begin()
  const body = { run, tool: 'Read', input: { file_path: 'a' }, call_id: 'c1' }
  await server.ask('POST', '/api/check', { token: agent, body })
  await server.ask('POST', `/api/runs/${run}/stop`, { token: person, body: {} })
  now += 91 * dayMs
  // Logins from before are over by now.
  person = await server.token('person')
  agent = await server.token('agent')
  await begin()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('histories that have left the store', () => {
  test('AR-1: what is due is told beforehand, also for another time', async () => {
    const { body } = await ask('/api/archive')
    expect(body).toMatchObject({ keep: '90d', folder, archived: 0, runs: [], next: null })
    expect(body.due).toMatchObject({ total: 1, first: [{ run_id: run, status: 'stopped' }] })
    expect((await ask('/api/archive?keep=92d')).body.due).toEqual({ total: 0, first: [] })
    expect((await ask('/api/archive', agent)).status).toBe(403)
  })

  test('AR-5: who asks for one is told where it lies, and the run is still there', async () => {
    const whole = (await ask(`/api/runs/${run}/verify`)).body
    const quiet = { onArchived: () => {}, onBroken: () => {}, onFault: () => {} }
    const archiver = new Archiver(server.server.runtime, { folder, node: 'n1', ...quiet })
    expect(await archiver.pass()).toBe(1)
    await archiver.close()
    for (const path of ['entries', 'export', 'replay', 'calls/c1']) {
      const { status, body } = await ask(`/api/runs/${run}/${path}`)
      expect([path, status, body.code]).toEqual([path, 410, 'run_archived'])
      expect(body.where).toContain(join(folder, ''))
    }
    const shown = (await ask(`/api/runs/${run}`)).body
    expect([shown.run_id, shown.status]).toEqual([run, 'stopped'])
    const verified = (await ask(`/api/runs/${run}/verify`)).body
    expect(verified).toEqual({ run_id: run, ok: true, entries: 0, archived: whole.entries })
    const known = (await ask('/api/archive')).body
    expect(known).toMatchObject({ archived: 1, due: { total: 0 } })
    expect(known.runs[0]).toMatchObject({ run_id: run, node: 'n1', seq: whole.entries })
    const stranger = await server.token('agent')
    expect((await ask(`/api/runs/${run}/entries`, stranger)).body.code).toBe('unknown_run')
  })

  test('AR-6: a replay leaves archived runs out and says how many', async () => {
    const begun = await server.ask('POST', '/api/replays', {
      token: person,
      body: { definition: JSON.stringify(release) },
    })
    expect(begun.status).toBeLessThan(300)
    const { replay_id: id } = begun.body
    await expect
      .poll(async () => (await ask(`/api/replays/${id}`)).body.status, { timeout: 60_000 })
      .toBe('done')
    const { report } = (await ask(`/api/replays/${id}`)).body
    expect(report.notes).toContainEqual({
      text: 'Runs left out, since their history is archived',
      count: 1,
    })
  })
})
