import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe } from 'vitest'
import type { OpenedStore } from '../conformance/story.test-kit.ts'
import { conformanceTests } from '../conformance/suite.test-kit.ts'
import type { Store } from '../store.ts'
import type { Durability } from './database.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

/**
 * What is tested is what the store answers. With `power` it waits for the disk at each commit; a
 * file system in memory (Linux) answers at once.
 */
const outermost = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const opened: Store[] = []
const folders: string[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe.each(['crash', 'power'] as const)('SQLite, durability %s', (durability) => {
  conformanceTests(() => openForTest(durability))
})

async function openForTest(durability: Durability): Promise<OpenedStore> {
  const outer = mkdtempSync(join(outermost, 'statewright-store-'))
  folders.push(outer)
  const folder = join(outer, 'data')
  const open = async () => {
    const store = await openSqliteStore({ folder, durability })
    opened.push(store)
    return store
  }
  return { store: await open(), reopen: open, setClock() {} }
}
