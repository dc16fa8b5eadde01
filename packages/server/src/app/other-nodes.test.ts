import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { release } from '../../testing/server.ts'
import type { Caller } from '../base/caller.ts'
import { systemClock } from '../base/clock.ts'
import { FeedHub } from '../http/feed/feed-hub.ts'
import { createLog } from '../observe/logger.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { changeRun } from '../runtime/runs/change-run.ts'
import { findRun } from '../runtime/runs/find-run.ts'
import { startRun } from '../runtime/runs/start-run.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { defaultSettings } from '../runtime/settings.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { followOtherNodes } from './other-nodes.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-nodes-'))
const person: Caller = { tokenId: 'person_1', kind: 'person', role: 'person', name: 'p' }
let store: Store
let hub: FeedHub
let here: Runtime
let there: Runtime

beforeAll(async () => {
  store = await openSqliteStore({ folder })
  const node = () => createRuntime({ store, clock: systemClock, settings: defaultSettings })
  here = node()
  there = node()
  hub = new FeedHub(store.feed)
  await followOtherNodes(here, hub, createLog({ level: 'silent' }))
})

afterAll(async () => {
  await hub.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

test('a node sees what another one did to a run that it holds in memory', async () => {
  const started = await startRun(here, person, { definition: release, session: 's' })
  if (!started.ok) throw new Error(started.error.message)
  const run = started.value.live.row.runId
  const stop = { type: 'stopped' } as const
  const stopped = await changeRun(there, person, { run }, (_, facts) => ({ ...facts, ...stop }))
  expect(stopped.ok).toBe(true)
  await expect.poll(async () => (await here.live.get(run))?.snapshot.status).toBe('stopped')
})

test('a node finds the run that another one started for a session', async () => {
  expect((await findRun(here, person, { session: 'later' })).ok).toBe(false)
  const started = await startRun(there, person, { definition: release, session: 'later' })
  expect(started.ok).toBe(true)
  await expect.poll(async () => (await findRun(here, person, { session: 'later' })).ok).toBe(true)
})
