import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createRuntime } from '../../packages/server/src/runtime/create-runtime.ts'
import { defaultSettings } from '../../packages/server/src/runtime/settings.ts'
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts'
import type { RunRow } from '../../packages/server/src/store/store.ts'
import { StoryClock, type World } from './player.ts'
import { loadDump } from './sql-dump.ts'

/** The engines whose histories were recorded, as their folders are called. */
export const recordings: readonly string[] = readdirSync(new URL('.', import.meta.url)).filter(
  (name) => name.startsWith('engine-'),
)

export interface RecordedStore extends World {
  /** Every run that the recording holds. */
  readonly runs: readonly RunRow[]
  close(): Promise<void>
}

/** Opens a recorded store as today's server would, long after it was written. */
export async function openRecorded(
  recording: string,
  spoil: (database: DatabaseSync) => void = () => {},
): Promise<RecordedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-recorded-'))
  const database = new DatabaseSync(join(folder, 'statewright.db'))
  loadDump(database, readFileSync(new URL(`${recording}/store.sql`, import.meta.url), 'utf8'))
  spoil(database)
  database.close()
  const store = await openSqliteStore({ folder })
  const clock = new StoryClock(Date.UTC(2026, 0, 5, 20), 'later_')
  const runtime = createRuntime({ store, clock, settings: { ...defaultSettings, home: null } })
  const { runs } = await store.runs.list({ limit: 500 })
  const close = async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return { runtime, clock, workspace: folder, runs, close }
}
