/**
 * Records the histories of this version's engine: `node test/histories/record.ts`. What an engine
 * wrote is kept for good, so that a recording is never made again once its version was handed out.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { engine } from '@statewright/core/internal'
import { createRuntime } from '../../packages/server/src/runtime/create-runtime.ts'
import { defaultSettings } from '../../packages/server/src/runtime/settings.ts'
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts'
import { definitions } from './definitions.ts'
import { StoryClock, save } from './player.ts'
import { dumpDatabase } from './sql-dump.ts'
import { stories, strictStories } from './stories.ts'

/** A fixed place, so that recording twice gives the same bytes. */
const workspace = join(tmpdir(), 'statewright-histories')
const start = Date.UTC(2026, 0, 5, 12)

const folder = mkdtempSync(join(tmpdir(), 'statewright-record-'))
rmSync(workspace, { recursive: true, force: true })
mkdirSync(workspace)
try {
  const store = await openSqliteStore({ folder })
  const clock = new StoryClock(start)
  const settings = { ...defaultSettings, home: null }
  const runtime = createRuntime({ store, clock, settings })
  const world = { runtime, clock, workspace }
  for (const source of definitions) await save(world, source)
  for (const tell of Object.values(stories)) await tell(world)
  const strict = {
    ...settings,
    strict: true,
    missingSandbox: 'This machine has no sandbox.',
    protectedPaths: [join(workspace, 'data')],
    protectedFiles: [join(workspace, 'statewright.yaml')],
    askPaths: [join(workspace, 'Makefile')],
  }
  const strictWorld = { ...world, runtime: createRuntime({ store, clock, settings: strict }) }
  for (const tell of Object.values(strictStories)) await tell(strictWorld)
  await store.close()

  const database = new DatabaseSync(join(folder, 'statewright.db'))
  database.exec('UPDATE migrations SET applied_at = 0')
  const target = new URL(`engine-${engine}/`, import.meta.url)
  mkdirSync(target, { recursive: true })
  writeFileSync(new URL('store.sql', target), dumpDatabase(database))
  database.close()
} finally {
  rmSync(folder, { recursive: true })
  rmSync(workspace, { recursive: true, force: true })
}
