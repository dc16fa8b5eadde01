import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { newRun, notice, Writer } from '../conformance/story.test-kit.ts'
import { planCounters } from '../counters/plan.ts'
import { encodeBatch } from '../encode.ts'
import type { Committer } from './committer.ts'
import { Database } from './database.ts'
import { type BatchWrite, Journal } from './journal.ts'
import { journalCommitter } from './journal-committer.ts'
import { migrate } from './migrations.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

/** A journal on a disk that can be made to take a part of a line, and to cut nothing off. */
class FaultyJournal extends Journal {
  writesBytes = Number.POSITIVE_INFINITY
  cuts = true

  protected override write(line: string): number {
    return super.write(line.slice(0, Math.min(line.length, this.writesBytes)))
  }

  protected override cut(size: number): void {
    if (this.cuts) super.cut(size)
    else throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }
}

/** A database of which commits can be made to fail, as they do on a full disk. */
class FaultyDatabase extends Database {
  commits = true

  override commit(): void {
    if (!this.commits) throw new Error('the disk is full')
    super.commit()
  }
}

interface World {
  readonly folder: string
  readonly path: string
  readonly db: FaultyDatabase
  readonly journal: FaultyJournal
  readonly committer: Committer
}

const worlds: World[] = []
const folders: string[] = []

afterEach(async () => {
  for (const { committer, db, journal } of worlds.splice(0)) {
    db.commits = true
    Object.assign(journal, { writesBytes: Number.POSITIVE_INFINITY, cuts: true })
    await committer.close()
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('a journal whose disk fails', () => {
  test('WF-34: half a line that could not be taken away spoils none after it', async () => {
    const { path, db, journal, committer } = opened()
    const writer = new Writer('run_1')
    // So that the journal is all that there is.
    db.commits = false
    await committer.submit(create(writer))
    Object.assign(journal, { writesBytes: 50, cuts: false })
    await expect(committer.submit(next(writer))).rejects.toMatchObject({ reason: 'full' })
    db.commits = true
    journal.writesBytes = Number.POSITIVE_INFINITY
    // As long as it stands there, nothing is acknowledged.
    await expect(committer.submit(next(writer))).rejects.toMatchObject({ where: path })
    expect(linesIn(path)).toBe(1)
    journal.cuts = true
    await committer.submit(keep(writer))
    await committer.submit(keep(writer))
    expect(linesIn(path)).toBe(2)
    expect(rowsIn(db)).toBe(3)
  })

  test('WF-34: what a read that failed has rolled back is written again', async () => {
    const { db, committer, folder } = opened()
    const [writer, other] = [new Writer('run_1'), new Writer('run_2')]
    await committer.submit(create(writer))
    // So does SQLite where it cannot read a page, in the middle of a transaction.
    db.rollBack()
    await committer.submit(create(other))
    await committer.submit(keep(writer))
    await committer.settle()
    expect(rowsIn(db)).toBe(3)
    const outside = new Database({ path: join(folder, 'db'), durability: 'crash', isReader: true })
    expect(rowsIn(outside)).toBe(3)
    outside.close()
  })

  test('WF-34: what stands in it is acknowledged, though the commit fails', async () => {
    const { db, committer } = opened()
    const writer = new Writer('run_1')
    await committer.submit(create(writer))
    db.commits = false
    // So much that it is committed at once.
    const large = writer.batch([notice('x'.repeat(1_100_000))])
    const result = await committer.submit(append(writer, large))
    expect(result).toMatchObject({ committed: { kind: 'committed' } })
    writer.keep(large)
    await expect(committer.submit(next(writer))).rejects.toThrow('full')
    db.commits = true
    await committer.submit(keep(writer))
    expect(rowsIn(db)).toBe(3)
  })

  test('WF-34: by itself it commits what waits once the disk has room again', async () => {
    const { db, committer, path } = opened()
    db.commits = false
    await committer.submit(create(new Writer('run_1')))
    await expect(committer.settle()).rejects.toThrow('full')
    db.commits = true
    await expect.poll(() => statSync(path).size, { timeout: 30_000 }).toBe(0)
    expect(rowsIn(db)).toBe(1)
  })

  test('WF-34: another file in its place changes nothing of what was acknowledged', async () => {
    const { db, committer, path } = opened()
    await committer.submit(create(new Writer('run_1')))
    renameSync(path, `${path}.moved`)
    writeFileSync(path, '')
    db.rollBack()
    await committer.settle()
    expect(rowsIn(db)).toBe(1)
  })

  test('a store that cannot be closed cleanly gives its folder free', async () => {
    const folder = newFolder()
    const store = await openSqliteStore({ folder })
    const writer = new Writer('run_1')
    await store.runs.create(newRun({ runId: 'run_1' }), writer.batch([notice('started')]))
    await withoutCommits(() => expect(store.close()).rejects.toThrow('full'))
    const again = await openSqliteStore({ folder })
    expect(await again.runs.entries('run_1', { after: 0, limit: 9 })).toHaveLength(1)
    await again.close()
  })
})

/** The store opens its database itself, so that the fault is in all of them for a moment. */
async function withoutCommits(work: () => Promise<void>): Promise<void> {
  const { commit } = Database.prototype
  Database.prototype.commit = () => {
    throw new Error('the disk is full')
  }
  try {
    await work()
  } finally {
    Database.prototype.commit = commit
  }
}

describe('the bytes of a journal', () => {
  test('WF-34: cut anywhere, the whole lines before count; a changed bit is damage', () => {
    const { path, texts } = written()
    const bytes = readFileSync(path)
    const ends = [...bytes.keys()].filter((at) => bytes[at] === 10).map((at) => at + 1)
    for (let size = 0; size <= bytes.length; size++) {
      writeFileSync(path, bytes.subarray(0, size))
      const whole = ends.filter((end) => end <= size).length - 1
      expect(textsIn(path)).toEqual(texts.slice(0, Math.max(0, whole)))
    }
    const wrong: string[] = []
    for (const [at, byte] of bytes.entries()) {
      // The ends of lines say what counts at all.
      for (const bit of ends.includes(at + 1) ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8]) {
        const changed = Buffer.from(bytes)
        changed[at] = byte ^ (1 << bit)
        writeFileSync(path, changed)
        const read = outcomeOf(() => textsIn(path))
        if (read !== 'corrupt' && read !== 'too_new') wrong.push(`byte ${at}, bit ${bit}: ${read}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('WF-34: zeros of any number in its middle are damage', () => {
    const { path } = written()
    const bytes = readFileSync(path)
    writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(2 ** 20), bytes]))
    expect(outcomeOf(() => textsIn(path))).toBe('corrupt')
  })

  test.skipIf(process.platform === 'win32').each([
    ['a link to a file', (path: string) => linkTo(path, `${path}.elsewhere`)],
    ['a link to a device', (path: string) => symlinkSync('/dev/null', path)],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('WF-34: %s in its place is refused', (_, place) => {
    const path = join(newFolder(), 'statewright.journal')
    place(path)
    expect(outcomeOf(() => new Journal(path).close())).toBe('unavailable')
  })
})

function opened(): World {
  const folder = newFolder()
  const path = join(folder, 'journal')
  const db = new FaultyDatabase({ path: join(folder, 'db'), durability: 'crash' })
  migrate(db, 0)
  const rules = { plan: planCounters, reservationMs: 1000 }
  const journal = new FaultyJournal(path)
  const world = { folder, path, db, journal, committer: journalCommitter(db, journal, rules) }
  worlds.push(world)
  return world
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-journal-'))
  folders.push(folder)
  return folder
}

function create(writer: Writer): BatchWrite {
  const batch = writer.batch([notice('started')])
  writer.keep(batch)
  return { type: 'create', run: newRun({ runId: writer.runId }), batch: encodeBatch(batch) }
}

function append(writer: Writer, batch: ReturnType<Writer['batch']>): BatchWrite {
  return { type: 'append', runId: writer.runId, batch: encodeBatch(batch) }
}

function next(writer: Writer): BatchWrite {
  return append(writer, writer.batch([notice('next')]))
}

function keep(writer: Writer): BatchWrite {
  const batch = writer.batch([notice('kept')])
  writer.keep(batch)
  return append(writer, batch)
}

function rowsIn(db: Database): number {
  return db.get<{ count: number }>('SELECT count(*) AS count FROM entries')?.count ?? 0
}

function linesIn(path: string): number {
  const journal = new Journal(path)
  const { length } = journal.writes()
  journal.close()
  return length
}

/** A journal of three lines. */
function written() {
  const path = join(newFolder(), 'journal')
  const texts = ['one', 'two ü', 'three']
  const writer = new Writer('run_1')
  const journal = new Journal(path)
  for (const text of texts) {
    const batch = writer.batch([notice(text)])
    writer.keep(batch)
    journal.add({ ...append(writer, batch), feedAt: text })
  }
  journal.close()
  return { path, texts }
}

function textsIn(path: string): readonly string[] {
  const journal = new Journal(path)
  try {
    return journal
      .writes()
      .map(({ batch }) => (JSON.parse(batch.entries[0]?.entry ?? '') as { text: string }).text)
  } finally {
    journal.close()
  }
}

function outcomeOf(work: () => unknown): string {
  try {
    return `read as ${JSON.stringify(work())}`
  } catch (error) {
    return String((error as { reason?: string }).reason ?? error)
  }
}

function linkTo(path: string, target: string): void {
  writeFileSync(target, '')
  symlinkSync(target, path)
}
