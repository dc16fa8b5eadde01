import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { append, newRun, notice, startedRun, Writer } from '../conformance/story.test-kit.ts'
import { type Store, StoreFault } from '../store.ts'
import { openSqliteStore, type SqliteOptions } from './open-sqlite-store.ts'

const opened: Store[] = []
const folders: string[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('one server per data folder', () => {
  test('WF-34: a second server is told who uses the folder', async () => {
    const folder = newFolder()
    const store = await open({ folder })
    const fault = await faultOf(openSqliteStore({ folder }))
    expect(fault).toMatchObject({ reason: 'in_use', where: folder })
    expect(fault.message).toContain(`process ${process.pid}`)
    await store.close()
    await open({ folder })
  })

  test('WF-34: marks that a killed server left behind lock nobody out', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, 'server.lock'), '')
    writeFileSync(join(folder, 'server.pid'), '1\n')
    await open({ folder })
  })

  test('WF-34: a lock that fails for another reason is not taken for another server', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    const lock = join(folder, 'server.lock')
    writeFileSync(lock, 'Dear diary, today I wrote a very long text. '.repeat(20))
    const fault = await faultOf(openSqliteStore({ folder }))
    expect(fault).toMatchObject({ reason: 'corrupt', where: lock })
  })

  test.each(['crash', 'power'] as const)(
    'WF-34: everything in the folder is readable by its owner alone (%s)',
    async (durability) => {
      const folder = newFolder()
      const store = await open({ folder, durability })
      await startedRun(store)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      const modes = readdirSync(folder).map((name) => [name, mode(join(folder, name))])
      expect(modes.length).toBeGreaterThanOrEqual(4)
      expect(modes.filter(([, bits]) => bits !== 0o600)).toEqual([])
    },
  )
})

describe('a full disk', () => {
  test.each(['crash', 'power'] as const)(
    'WF-34: is a fault that keeps nothing by halves, and ends when there is room (%s)',
    async (durability) => {
      const folder = newFolder()
      let store = await open({ folder, durability, maxPages: 80 })
      const { writer } = await startedRun(store)
      const fault = await fill(store, writer)
      expect(fault).toMatchObject({ reason: 'full', where: join(folder, 'statewright.db') })
      expect(fault.next).not.toBe('')
      // It keeps answering the same, and reading goes on.
      await expect(fill(store, writer)).resolves.toMatchObject({ reason: 'full' })
      expect(await storedHashes(store, writer)).toEqual(hashes(writer))
      await store.close()
      store = await open({ folder, durability })
      await append(store, writer, [notice('room again')])
      expect(await storedHashes(store, writer)).toEqual(hashes(writer))
    },
  )

  test.skipIf(!canMount())('WF-34: on a real file system, too', () => {
    const script = fileURLToPath(new URL('./full-disk.test-kit.ts', import.meta.url))
    const mount = mkdtempSync(join(tmpdir(), 'statewright-full-'))
    folders.push(mount)
    // The mount lives and dies with this one process and is seen by nobody else.
    const steps = `mount -t tmpfs -o size=2m none "$1" && exec "$2" "$3" "$1"`
    const output = execFileSync(
      'unshare',
      ['-m', 'sh', '-c', steps, 'sh', mount, process.execPath, script],
      { timeout: 60_000, encoding: 'utf8' },
    )
    expect(JSON.parse(output)).toEqual({ reason: 'full', whole: true, goesOn: true })
  })
})

describe('a folder that cannot be written', () => {
  test('WF-34: a file in its place, or on the way to it, is a fault', async () => {
    const file = newFolder()
    writeFileSync(file, 'mine')
    for (const folder of [file, join(file, 'below')]) {
      expect(await faultOf(openSqliteStore({ folder }))).toMatchObject({
        reason: 'read_only',
        where: folder,
      })
    }
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  // Nothing is read-only for root but what the file system itself refuses.
  test.skipIf(process.getuid?.() === 0)('WF-34: a read-only folder is a fault', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    expect(await faultOf(openSqliteStore({ folder }))).toMatchObject({ reason: 'read_only' })
  })

  test.skipIf(!canMount())('WF-34: a read-only file system is a fault', async () => {
    const folder = newFolder()
    const store = await open({ folder })
    await startedRun(store)
    await store.close()
    const before = fingerprint(folder)
    const script = fileURLToPath(new URL('./read-only.test-kit.ts', import.meta.url))
    const steps = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" "$3" "$1"`
    const output = execFileSync(
      'unshare',
      ['-m', 'sh', '-c', steps, 'sh', folder, process.execPath, script],
      { timeout: 60_000, encoding: 'utf8' },
    )
    expect(output).toBe('read_only')
    expect(fingerprint(folder)).toBe(before)
  })
})

describe('a damaged database', () => {
  test.each([
    ['its beginning', 0],
    ['the list of tables', 100],
    ['a page in the middle', 0.5],
    ['its last page', 0.99],
  ])('WF-34: with other bytes in %s it is refused and left as it is', async (_, where) => {
    const folder = newFolder()
    await fillAndClose(folder)
    const path = join(folder, 'statewright.db')
    const bytes = readFileSync(path)
    const at = where < 1 && where > 0 ? Math.floor((bytes.length * where) / 4096) * 4096 : where
    bytes.fill(0xa5, at, at + 200)
    writeFileSync(path, bytes)
    const before = fingerprint(folder)
    const fault = await faultOf(openSqliteStore({ folder }))
    expect(fault).toMatchObject({ reason: 'corrupt', where: path })
    expect(fault.next).toContain('backup')
    expect(fingerprint(folder)).toBe(before)
  })

  test('WF-34: a file that is no database is left as it is', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    const path = join(folder, 'statewright.db')
    writeFileSync(path, 'Dear diary, today I wrote a very long text that is no database.')
    expect(await faultOf(openSqliteStore({ folder }))).toMatchObject({ reason: 'corrupt' })
    expect(readFileSync(path, 'utf8')).toContain('Dear diary')
  })

  test('WF-34: damage seen later stops all writing', async () => {
    const folder = newFolder()
    await fillAndClose(folder)
    const store = await open({ folder })
    const path = join(folder, 'statewright.db')
    const bytes = readFileSync(path)
    // Everything behind the pages that the first look has already kept in memory.
    bytes.fill(0xa5, 4096 * 2)
    writeFileSync(path, bytes)
    const faults: unknown[] = []
    for (let n = 0; n < 50; n++) {
      const run = newRun()
      const batch = new Writer(run.runId).batch([notice('x'.repeat(3000))])
      faults.push(await store.runs.create(run, batch).catch((error) => error.reason))
    }
    expect(faults.at(-1)).toBe('corrupt')
    await expect(store.check()).rejects.toMatchObject({ reason: 'corrupt' })
  })

  test('WF-34: a database of a newer version is left as it is', async () => {
    const folder = newFolder()
    await fillAndClose(folder)
    const db = new DatabaseSync(join(folder, 'statewright.db'))
    db.exec(`INSERT INTO migrations VALUES (99, 'from the future', 0)`)
    db.close()
    const before = fingerprint(folder)
    expect(await faultOf(openSqliteStore({ folder }))).toMatchObject({ reason: 'too_new' })
    expect(fingerprint(folder)).toBe(before)
  })
})

describe('a group of writes', () => {
  test('WF-34: a group that fails is refused as a whole, and the next one goes on', async () => {
    const store = await open({ folder: newFolder(), durability: 'power' })
    const { run, writer } = await startedRun(store)
    const { writer: other } = await startedRun(store)
    const approval = {
      approvalId: 'same',
      runId: run.runId,
      kind: 'ask',
      message: '',
      openedAt: 0,
      expiresAt: null,
      details: {},
    } as const
    await append(store, writer, [notice('asked')], { opened: [approval] })
    const results = await Promise.allSettled([
      store.runs.append(other.runId, other.batch([notice('innocent')])),
      store.runs.append(writer.runId, writer.batch([notice('again')], { opened: [approval] })),
    ])
    expect(results.map((one) => one.status)).toEqual(['rejected', 'rejected'])
    await append(store, other, [notice('innocent')])
    expect(await storedHashes(store, other)).toEqual(hashes(other))
    expect(await storedHashes(store, writer)).toEqual(hashes(writer))
  })

  test('WF-34: what was asked for before closing is still written', async () => {
    const folder = newFolder()
    const store = await open({ folder, durability: 'power' })
    const { run, writer } = await startedRun(store)
    const last = store.runs.append(run.runId, writer.batch([notice('last')]))
    await store.close()
    expect((await last).kind).toBe('committed')
    await expect(store.check()).rejects.toMatchObject({ reason: 'unavailable' })
    const again = await open({ folder })
    expect((await again.runs.load(run.runId))?.row.seq).toBe(2)
  })
})

async function open(options: SqliteOptions): Promise<Store> {
  const store = await openSqliteStore(options)
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await store.close()
  }
  opened.push({ ...store, close })
  return { ...store, close }
}

function newFolder(): string {
  const outer = mkdtempSync(join(tmpdir(), 'statewright-faults-'))
  folders.push(outer)
  return join(outer, 'data')
}

async function fillAndClose(folder: string): Promise<void> {
  const store = await open({ folder })
  const { writer } = await startedRun(store)
  for (let n = 0; n < 60; n++) await append(store, writer, [notice('x'.repeat(2000))])
  await store.close()
}

/** Appends until it cannot; the fault that ended it. */
async function fill(store: Store, writer: Writer): Promise<StoreFault> {
  for (let n = 0; n < 10_000; n++) {
    const batch = writer.batch([notice('x'.repeat(5000))])
    try {
      await store.runs.append(writer.runId, batch)
      writer.keep(batch)
    } catch (error) {
      if (error instanceof StoreFault) return error
      throw error
    }
  }
  throw new Error('the disk never got full')
}

async function storedHashes(store: Store, writer: Writer): Promise<readonly string[]> {
  const entries = await store.runs.entries(writer.runId, { after: 0, limit: 10_000 })
  return entries.map((one) => one.hash)
}

function hashes(writer: Writer): readonly string[] {
  return writer.entries.map((one) => one.hash)
}

async function faultOf(opening: Promise<Store>): Promise<StoreFault> {
  const fault = await opening.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(fault instanceof StoreFault)) throw new Error(`no StoreFault: ${String(fault)}`)
  return fault
}

/** Of the data alone: locks and indexes of it may come and go. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256')
  for (const name of ['statewright.db', 'statewright.db-wal']) {
    const path = join(folder, name)
    if (existsSync(path) && statSync(path).size > 0) hash.update(name).update(readFileSync(path))
  }
  return hash.digest('hex')
}

function mode(path: string): number {
  return statSync(path).mode & 0o777
}

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', tmpdir()], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
