import type { DatabaseSync } from 'node:sqlite'
import {
  brokenLink,
  chainEntries,
  chainStart,
  type Entry,
  engine,
  hasEnded,
  textOf,
} from '@statewright/core/internal'
import { afterEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../packages/server/src/runtime/dispatch.ts'
import { allEntries, verifyRun } from '../../packages/server/src/runtime/runs/read-run.ts'
import { Player, person } from './player.ts'
import { openRecorded, type RecordedStore, recordings } from './recorded-store.ts'

const opened: RecordedStore[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function open(recording: string, spoil?: (database: DatabaseSync) => void) {
  const recorded = await openRecorded(recording, spoil)
  opened.push(recorded)
  return recorded
}

/**
 * Entries of the first engine that this one would write otherwise. An agent resumed what a person
 * had paused (WF-27); the result of a call made during a pause, or after the end, was not taken.
 */
const decidedOtherwise: ReadonlyMap<string, readonly number[]> = new Map([
  ['run_738', [6, 7]],
  ['run_607', [6]],
  ['run_1', [39]],
])

describe.each(recordings)('a store that was written by %s', (recording) => {
  const made = Number(recording.slice('engine-'.length))
  const differs = (runId: string) => decidedOtherwise.get(runId) ?? []
  const older = (runId: string, entries: number) =>
    made === engine ? {} : { older: { engine: made, entries, differs: differs(runId) } }

  test('WF-34, WF-36: opens, and every run of it verifies', async () => {
    const { runtime, runs } = await open(recording)
    expect(runs.length).toBeGreaterThan(25)
    for (const { runId, seq } of runs) {
      const verified = await verifyRun(runtime, runId)
      expect(verified, runId).toEqual({ ok: true, entries: seq, ...older(runId, seq) })
    }
  })

  test('WF-36: goes on with calls, events and verdicts, and verifies again', async () => {
    const recorded = await open(recording)
    const { runtime, runs } = recorded
    for (const row of runs) await goOn(new Player(recorded, row.runId))
    for (const { runId, seq } of runs) {
      const entries = await allEntries(runtime, runId)
      const changes = entries.filter(({ entry }) => entry.type === 'engine_changed')
      expect(changes.map((one) => one.seq)).toEqual(made === engine ? [] : [seq + 1])
      const verified = await verifyRun(runtime, runId)
      expect(verified, runId).toEqual({ ok: true, entries: entries.length, ...older(runId, seq) })
      expect(entries.length, runId).toBeGreaterThan(seq)
    }
  })

  test('WF-34, WF-36: any byte of an entry that was changed is found, in either part', async () => {
    const recorded = await open(recording)
    for (const row of recorded.runs) await goOn(new Player(recorded, row.runId))
    for (const { runId } of recorded.runs) {
      const links = await allEntries(recorded.runtime, runId)
      for (const [index, link] of links.entries()) {
        const entry: Entry = JSON.parse(withOneByteChanged(JSON.stringify(link.entry), index))
        const found = brokenLink(runId, links.with(index, { ...link, entry }), sha256)
        expect(found?.seq, `${runId} ${index}`).toBe(index + 1)
      }
    }
  })

  test('WF-34: a stored snapshot that was changed is found before it is taken up', async () => {
    const { runtime, runs } = await open(recording, (database) => {
      const sql = `UPDATE snapshots SET body = replace(body, '"mailsSent":0', '"mailsSent":7')`
      database.exec(sql)
    })
    for (const { runId, workflow } of runs) {
      if (workflow === 'review') continue
      // Where this engine answers otherwise, nobody can tell what an older one left (WF-36a).
      if (made !== engine && decidedOtherwise.has(runId)) continue
      expect(await verifyRun(runtime, runId), runId).toMatchObject({ ok: false })
    }
  })

  test('WF-35: every phrase of it still has its words', async () => {
    const { runtime, runs } = await open(recording)
    let phrases = 0
    for (const { runId } of runs) {
      for (const { entry } of await allEntries(runtime, runId)) {
        for (const one of phrasesIn(entry)) {
          phrases += 1
          // One that is not known is shown by its name.
          expect(textOf(one).startsWith(one.phrase), one.phrase).toBe(false)
        }
      }
    }
    expect(phrases > 0).toBe(made > 1)
  })
})

describe('a run whose newest snapshot is older than its last entries', () => {
  test('WF-36a: what the older engine decided stands, and what would differ is told', async () => {
    let runId = ''
    const recorded = await open('engine-1', (database) => {
      runId = forgeDecision(database)
    })
    const row = recorded.runs.find((one) => one.runId === runId)
    if (row === undefined) throw new Error('the recording has no such run')
    const run = new Player(recorded, row.runId)
    expect(await run.ask('Read', { file_path: 'x' }, {}, person)).toBe('allow')
    const live = await recorded.runtime.live.get(row.runId)
    // Two edits, what was let through though it would be denied now, and the call just made.
    expect(live?.snapshot.main.frames[0]?.counters.iterations).toBe(4)
    const entries = await allEntries(recorded.runtime, row.runId)
    const changed = entries.find(({ entry }) => entry.type === 'engine_changed')
    expect(changed?.entry).toMatchObject({ from: 1, to: engine, differs: [5] })
    expect(await verifyRun(recorded.runtime, row.runId)).toEqual({
      ok: true,
      entries: entries.length,
      older: { engine: 1, entries: row.seq, differs: [5] },
    })
  })
})

describe('a run that a newer engine wrote', () => {
  test('WF-36b: is not judged, and its calls are denied', async () => {
    const recorded = await open('engine-1', (database) => {
      database.exec(
        `UPDATE snapshots SET body = replace(body, '{"status"', '{"engine":99,"status"')`,
      )
    })
    for (const { runId } of recorded.runs) {
      const run = new Player(recorded, runId)
      expect(await run.ask('Read', {}, {}, person), runId).toBe('internal')
    }
  })
})

/** As if the older engine had let the denied call of such a run through; says which run it is. */
function forgeDecision(database: DatabaseSync): string {
  const sql = `SELECT runs.run_id FROM runs JOIN snapshots ON snapshots.run_id = runs.run_id
    WHERE workflow = 'bugfix' AND calls = 2 AND denials = 1 AND snapshots.seq < runs.seq`
  const runId = String(database.prepare(sql).get()?.run_id)
  const rows = database
    .prepare('SELECT seq, entry FROM entries WHERE run_id = ? ORDER BY seq')
    .all(runId)
  const entries = rows.map(({ entry }): Entry => {
    const read: Entry = JSON.parse(String(entry))
    if (read.type !== 'call_decided' || read.decision !== 'deny') return read
    const { code: _, ...rest } = read
    return { ...rest, decision: 'allow', reasons: [] }
  })
  const links = chainEntries({ seq: 0, hash: chainStart(runId) }, entries, sha256)
  for (const { seq, hash, entry } of links) {
    database
      .prepare('UPDATE entries SET entry = ?, hash = ? WHERE run_id = ? AND seq = ?')
      .run(JSON.stringify(entry), hash, runId, seq)
  }
  const chain = links.at(-1)?.hash ?? ''
  database.prepare('UPDATE runs SET chain = ? WHERE run_id = ?').run(chain, runId)
  return runId
}

/** A digit or letter of a value becomes another one; which one depends on the place. */
function withOneByteChanged(text: string, turn: number): string {
  const offsets = [...text.matchAll(/:"?([0-9a-z])/g)].map(
    (match) => match.index + match[0].length - 1,
  )
  for (let tries = 0; tries < offsets.length; tries++) {
    const at = offsets[(turn + tries) % offsets.length] ?? 0
    const changed = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`
    if (isOther(changed, text)) return changed
  }
  throw new Error(`nothing can be changed in ${text}`)
}

function isOther(changed: string, text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(changed)) !== text
  } catch {
    return false
  }
}

function phrasesIn(value: unknown): { phrase: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(phrasesIn)
  return 'phrase' in value && typeof value.phrase === 'string'
    ? [{ ...value, phrase: value.phrase }, ...inner]
    : inner
}

/** A few more steps of whatever the run waits for. */
async function goOn(run: Player): Promise<void> {
  const { runtime } = run.world
  await run.use('Read', { file_path: 'later.ts' }, {}, person)
  const rows = await runtime.store.approvals.list({
    runId: run.runId,
    status: 'waiting',
    limit: 50,
  })
  for (const [index, { approvalId }] of rows.entries()) {
    run.lastApproval = approvalId
    await run.resolve(index % 2 === 0 ? 'approve' : 'reject')
  }
  const live = await runtime.live.get(run.runId)
  if (live === undefined || hasEnded(live.snapshot.status)) return
  const state = live.snapshot.main.frames.at(-1)?.state ?? ''
  const machine = live.program.machines.get(live.snapshot.main.frames.at(-1)?.machine ?? '')
  const events = [...(machine?.states.get(state)?.transitions.keys() ?? [])]
  for (const event of events) {
    await run.send(event, { cause: 'later' }, undefined, person)
    await run.bash('echo x > later.txt', person)
  }
  await run.event({ type: 'paused' })
  await run.event({ type: 'resumed' })
}
