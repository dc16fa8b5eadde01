import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { append, decided, notice, startedRun, type Writer } from '../conformance/story.test-kit.ts'
import type { Batch, Store } from '../store.ts'
import { openSqliteStore, type SqliteOptions } from './open-sqlite-store.ts'

const opened: Store[] = []
const folders: string[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Elsewhere a power failure cannot be told from a damaged folder. */
const tellsBoots = existsSync('/proc/sys/kernel/random/boot_id')

describe('the journal before the database', () => {
  test.each(['crash', 'power'] as const)(
    'WF-34: what was acknowledged when the server was killed is there when it starts (%s)',
    async (durability) => {
      const { store, writer, folder } = await started()
      for (let n = 0; n < 5; n++) await append(store, writer, [decided(`call ${n}`)], inputOf(n))
      const killed = imageOf(folder)
      expect(statSync(journalIn(killed)).size).toBeGreaterThan(0)
      expect(rowsSeenBeside(killed)).toBe(0)
      const again = await open({ folder: killed, durability })
      expect(await hashesIn(again, writer)).toEqual(hashesOf(writer))
      const [input] = await again.runs.blobsOfCall(writer.runId, 'call 3')
      expect(input?.text).toBe('input 3')
      expect(statSync(journalIn(killed)).size).toBe(0)
    },
  )

  test('WF-34: readers beside the server see it after a moment, or when they ask', async () => {
    const { store, writer, folder } = await started()
    await append(store, writer, [notice('new')])
    expect(rowsSeenBeside(folder)).toBe(0)
    await store.settle()
    expect(rowsSeenBeside(folder)).toBe(2)
    await append(store, writer, [notice('newer')])
    await expect.poll(() => rowsSeenBeside(folder)).toBe(3)
    expect(statSync(journalIn(folder)).size).toBe(0)
  })

  test('WF-34: a line that was cut short does not count, what stands before it does', async () => {
    const { store, writer, folder } = await started()
    await append(store, writer, [notice('kept')])
    const before = statSync(journalIn(folder)).size
    const last = writer.batch([notice('cut short')])
    await store.runs.append(writer.runId, last)
    const size = statSync(journalIn(folder)).size
    for (const length of [before + 1, before + 30, size - 1]) {
      const killed = imageOf(folder)
      truncateSync(journalIn(killed), length)
      const again = await open({ folder: killed })
      expect(await hashesIn(again, writer)).toEqual(hashesOf(writer))
      // And it goes on from there.
      const other = await startedRun(again)
      await append(again, other.writer, [notice('goes on')])
    }
  })

  test('WF-34: cut short in its first line it holds nothing', async () => {
    const { store, folder } = await started()
    await store.close()
    for (const text of ['s', 'statewright journal', 'statewright journal 1', '']) {
      writeFileSync(journalIn(folder), text)
      await (await open({ folder })).close()
      expect(readFileSync(journalIn(folder), 'utf8')).toBe('')
    }
  })

  test('WF-34: zeros that a power failure left at its end do not count', async () => {
    const { store, writer, folder } = await started()
    await append(store, writer, [notice('kept')])
    for (const cut of ['', 'a2ef {"type":"app']) {
      const killed = imageOf(folder)
      appendFileSync(journalIn(killed), `${cut}${'\0'.repeat(4096)}`)
      const again = await open({ folder: killed })
      expect(await hashesIn(again, writer)).toEqual(hashesOf(writer))
    }
    const killed = imageOf(folder)
    writeFileSync(journalIn(killed), Buffer.alloc(4096))
    expect(
      await (await open({ folder: killed })).runs.entries('no such run', { after: 0, limit: 1 }),
    ).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('only its owner may read it', async () => {
    const { store, folder } = await started()
    await store.close()
    chmodSync(journalIn(folder), 0o644)
    await open({ folder })
    expect(statSync(journalIn(folder)).mode & 0o777).toBe(0o600)
  })

  test('WF-34: a write that the database holds already changes nothing', async () => {
    const { store, writer, folder } = await started()
    const rate = { kind: 'rate', key: 'k', windowMs: 60_000, maxCalls: 2 } as const
    const take = { takes: [rate], role: 'agent', session: 's', callId: 'c', capability: 'bash' }
    await append(store, writer, [decided('c')], { takes: { ...take, at: 1_000 } })
    const journal = readFileSync(journalIn(folder))
    await store.settle()
    const killed = imageOf(folder)
    writeFileSync(journalIn(killed), journal)
    const again = await open({ folder: killed })
    expect(await hashesIn(again, writer)).toEqual(hashesOf(writer))
    const scope = { role: 'agent', session: 's', at: 1_000, capability: 'bash' }
    expect(await again.counters.usage([rate], scope)).toMatchObject({ k: { used: 1 } })
  })

  test('WF-34: limits that were taken count after a kill', async () => {
    const { store, writer, folder } = await started()
    const rate = { kind: 'rate', key: 'k', windowMs: 60_000, maxCalls: 2 } as const
    const take = { takes: [rate], role: 'agent', session: 's', callId: 'c', capability: 'bash' }
    for (const at of [1_000, 1_001]) {
      await append(store, writer, [decided('c', at)], { takes: { ...take, at } })
    }
    const again = await open({ folder: imageOf(folder) })
    const third = writer.batch([decided('d', 1_002)], { takes: { ...take, at: 1_002 } })
    expect(await again.runs.append(writer.runId, third)).toEqual({ kind: 'conflict' })
  })

  test('WF-34: a write that fails takes none along that were acknowledged before it', async () => {
    const { store, writer, folder } = await started()
    const other = await startedRun(store)
    await append(store, writer, [notice('asked')], { opened: [approvalOf(writer)] })
    const twice = other.writer.batch([notice('twice')], { opened: [approvalOf(other.writer)] })
    await expect(store.runs.append(other.run.runId, twice)).rejects.toThrow('UNIQUE')
    await append(store, other.writer, [notice('after')])
    expect(await hashesIn(store, writer)).toEqual(hashesOf(writer))
    const again = await open({ folder: imageOf(folder) })
    expect(await hashesIn(again, writer)).toEqual(hashesOf(writer))
    expect(await hashesIn(again, other.writer)).toEqual(hashesOf(other.writer))
  })

  test('WF-34: a conflict is not written down', async () => {
    const { store, writer, folder } = await started()
    await store.settle()
    const stale: Batch = { ...writer.batch([notice('stale')]), afterSeq: 0 }
    const entries = stale.entries.map((one) => ({ ...one, seq: 1 }))
    const end = await store.runs.append(writer.runId, { ...stale, entries })
    expect(end).toEqual({ kind: 'conflict' })
    expect(statSync(journalIn(folder)).size).toBe(0)
  })

  test.each([
    ['was changed', (text: string) => text.replace('kept', 'kepT'), 'corrupt'],
    ['is of a newer version', (text: string) => text.replace('journal 1', 'journal 2'), 'too_new'],
    ['is another file', () => 'Dear diary\n', 'corrupt'],
    ['lost a line', (text: string) => linesOf(text, [0, 1, 3]), 'corrupt'],
    ['has its lines in another order', (text: string) => linesOf(text, [0, 1, 3, 2]), 'corrupt'],
  ] as const)('WF-34: a journal that %s is left as it is', async (_, change, reason) => {
    const { store, writer, folder } = await started()
    await append(store, writer, [notice('kept')])
    await append(store, writer, [notice('next')])
    const killed = imageOf(folder)
    const changed = change(readFileSync(journalIn(killed), 'utf8'))
    writeFileSync(journalIn(killed), changed)
    const fault = { reason, where: journalIn(killed) }
    await expect(open({ folder: killed })).rejects.toMatchObject(fault)
    expect(readFileSync(journalIn(killed), 'utf8')).toBe(changed)
    // What its message says: without the file it starts, with what the database holds.
    rmSync(journalIn(killed))
    expect(await hashesIn(await open({ folder: killed }), writer)).toEqual([])
  })

  test('WF-34: a journal beside a database that is too old for it is left as it is', async () => {
    const { store, writer, folder } = await started()
    await store.settle()
    const older = imageOf(folder)
    await append(store, writer, [notice('which the older database lacks')])
    await store.settle()
    await append(store, writer, [notice('acknowledged')])
    const journal = readFileSync(journalIn(folder), 'utf8')
    writeFileSync(journalIn(older), journal)
    const fault = { reason: 'corrupt', where: journalIn(older) }
    await expect(open({ folder: older })).rejects.toMatchObject(fault)
    expect(readFileSync(journalIn(older), 'utf8')).toBe(journal)
    rmSync(journalIn(older))
    expect(await hashesIn(await open({ folder: older }), writer)).toEqual(
      hashesOf(writer).slice(0, 1),
    )
  })

  test.skipIf(!tellsBoots).each(['crash', 'power'] as const)(
    'WF-34: after a power failure it starts, and keeps beside what does not fit (%s)',
    async (durability) => {
      const { store, writer, folder } = await started()
      const other = await startedRun(store)
      await store.settle()
      const older = imageOf(folder)
      await append(store, writer, [notice('which never reached the disk')])
      await store.settle()
      await append(store, writer, [notice('which did, and does not fit')])
      // It would stand elsewhere in the order of all entries than when it was acknowledged.
      await append(store, other.writer, [notice('which did, and does not fit either')])
      const text = ofEarlierBoot(readFileSync(journalIn(folder), 'utf8'))
      writeFileSync(journalIn(older), text)
      const again = await open({ folder: older, durability })
      expect(await hashesIn(again, writer)).toEqual(hashesOf(writer).slice(0, 1))
      expect(await hashesIn(again, other.writer)).toEqual(hashesOf(other.writer).slice(0, 1))
      expect(again.lost).toMatchObject({ count: 2 })
      const copy = again.lost?.copy ?? ''
      expect(readFileSync(copy, 'utf8')).toBe(text)
      if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
      expect(statSync(journalIn(older)).size).toBe(0)
      await again.close()
      expect((await open({ folder: older, durability })).lost).toBeUndefined()
    },
  )

  test.skipIf(!tellsBoots)(
    'WF-34: after a power failure what stands before a line that cannot be read counts',
    async () => {
      const { store, writer, folder } = await started()
      const other = await startedRun(store)
      await store.settle()
      await append(store, other.writer, [notice('readable')])
      await append(store, writer, [notice('unreadable')])
      const killed = imageOf(folder)
      const text = ofEarlierBoot(readFileSync(journalIn(killed), 'utf8'))
      writeFileSync(journalIn(killed), text.replace('unreadable', '\0'.repeat(10)))
      const again = await open({ folder: killed })
      expect(await hashesIn(again, other.writer)).toEqual(hashesOf(other.writer))
      expect(await hashesIn(again, writer)).toEqual(hashesOf(writer).slice(0, 1))
      expect(again.lost).toMatchObject({ count: 1 })
    },
  )

  test.skipIf(!tellsBoots)('WF-34: after a power failure all that fits is no loss', async () => {
    const { store, writer, folder } = await started()
    await append(store, writer, [notice('kept')])
    const killed = imageOf(folder)
    writeFileSync(journalIn(killed), ofEarlierBoot(readFileSync(journalIn(killed), 'utf8')))
    const again = await open({ folder: killed })
    expect(await hashesIn(again, writer)).toEqual(hashesOf(writer))
    expect(again.lost).toBeUndefined()
  })

  test.each([
    ['an older one', (older: string) => older],
    ['another one', (_: string, other: string) => other],
  ])('WF-34: new runs alone are no part of a database that is %s', async (_, choose) => {
    const { store, writer, folder } = await started()
    await store.settle()
    const [older, other] = [imageOf(folder), (await started()).folder]
    await append(store, writer, [notice('which the older database lacks')])
    await store.settle()
    // Nothing in the database is in the way of it.
    await startedRun(store)
    const journal = readFileSync(journalIn(folder), 'utf8')
    for (const one of opened.splice(0)) await one.close()
    const beside = choose(older, other)
    writeFileSync(journalIn(beside), journal)
    const fault = { reason: 'corrupt', where: journalIn(beside) }
    await expect(open({ folder: beside })).rejects.toMatchObject(fault)
    expect(readFileSync(journalIn(beside), 'utf8')).toBe(journal)
  })

  test('WF-34: it stays short, however much is written at once', async () => {
    const { store, writer, folder } = await started()
    let largest = 0
    for (let n = 0; n < 40; n++) {
      await append(store, writer, [notice('x'.repeat(100_000))])
      largest = Math.max(largest, statSync(journalIn(folder)).size)
    }
    expect(largest).toBeGreaterThan(500_000)
    expect(largest).toBeLessThan(1_300_000)
    expect(await hashesIn(store, writer)).toEqual(hashesOf(writer))
  })

  test('WF-34: a text of any kind comes out of it as it went in', async () => {
    const { store, writer, folder } = await started()
    const texts = ['nul \u0000', 'half \ud800', 'line\nend \u2028 \r', '🏳️‍🌈', '"\\']
    for (const text of texts) await append(store, writer, [notice(text)])
    const again = await open({ folder: imageOf(folder) })
    const entries = await again.runs.entries(writer.runId, { after: 1, limit: 99 })
    expect(entries.map(({ entry }) => (entry.type === 'notice' ? entry.text : ''))).toEqual(texts)
  })
})

interface OpenedRun {
  readonly store: Store
  readonly writer: Writer
  readonly folder: string
}

async function started(): Promise<OpenedRun> {
  const folder = newFolder()
  const store = await open({ folder })
  const { writer } = await startedRun(store)
  return { store, writer, folder }
}

async function open(options: SqliteOptions): Promise<Store> {
  const store = await openSqliteStore(options)
  opened.push(store)
  return store
}

function newFolder(): string {
  const outer = mkdtempSync(join(tmpdir(), 'statewright-journal-'))
  folders.push(outer)
  return join(outer, 'data')
}

/** What lies on the disk at this moment: all that a killed process leaves. */
function imageOf(folder: string): string {
  const image = newFolder()
  mkdirSync(image)
  for (const name of readdirSync(folder)) {
    if (/\.(?:db|db-wal|journal)$/.test(name)) copyFileSync(join(folder, name), join(image, name))
  }
  appendFileSync(join(image, 'server.pid'), '1\n')
  return image
}

function journalIn(folder: string): string {
  return join(folder, 'statewright.journal')
}

/** As if the machine had been started anew since it was written. */
function ofEarlierBoot(text: string): string {
  const boot = randomUUID()
  const head = `statewright journal 1 ${boot} ${crc32(boot).toString(16)}\n`
  const earlier = text.replace(/^statewright journal 1 .*\n/, head)
  expect(earlier).not.toBe(text)
  return earlier
}

function linesOf(text: string, indexes: readonly number[]): string {
  const lines = text.split('\n')
  return indexes.map((index) => `${lines[index]}\n`).join('')
}

function rowsSeenBeside(folder: string): number {
  const database = new DatabaseSync(join(folder, 'statewright.db'), { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS count FROM entries').get()?.count)
  } finally {
    database.close()
  }
}

function inputOf(n: number): Partial<Batch> {
  const blob = { callId: `call ${n}`, what: 'input', hash: 'h', text: `input ${n}` } as const
  return { blobs: [blob] }
}

function approvalOf({ runId }: Writer) {
  const times = { openedAt: 0, expiresAt: null }
  return { approvalId: 'same', runId, kind: 'ask', message: '', ...times, details: {} } as const
}

async function hashesIn(store: Store, writer: Writer): Promise<readonly string[]> {
  const entries = await store.runs.entries(writer.runId, { after: 0, limit: 10_000 })
  return entries.map((one) => one.hash)
}

function hashesOf(writer: Writer): readonly string[] {
  return writer.entries.map((one) => one.hash)
}
