import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from './open.ts'

test('WF-34: state is kept in the folder, unless a database is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-open-'))
  try {
    // Nothing listens on the first port.
    const databaseUrl = 'postgres://ada:secret@127.0.0.1:1/runs'
    await expect(openStore({ databaseUrl, folder, durability: 'crash' })).rejects.toMatchObject({
      name: 'StoreFault',
      reason: 'unavailable',
      where: 'postgres://127.0.0.1:1/runs',
    })
    expect(existsSync(join(folder, 'statewright.db'))).toBe(false)
    const store = await openStore({ folder, durability: 'crash' })
    await store.close()
    expect(existsSync(join(folder, 'statewright.db'))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
