import type { Entry } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import type { ArchivedRun } from '../archive-store.ts'
import type { Store } from '../store.ts'
import {
  append,
  decided,
  emptySnapshot,
  notice,
  type OpenForTest,
  plainRow,
  startedRun,
  type Writer,
} from './story.test-kit.ts'

const ended = { ...plainRow, status: 'completed', state: 'done' } as const
const opening = { kind: 'ask', message: 'May I?', expiresAt: null, details: {} } as const

/** What of the histories the archive has taken over. */
export function archiveTests(open: OpenForTest): void {
  describe('the archive', () => {
    test('AR-1: runs that ended are told in the order of their end, the newest never', async () => {
      const { store } = await open()
      const late = await endedRun(store, 300)
      const early = await endedRun(store, 200)
      await startedRun(store)
      const newest = await endedRun(store, 100)
      const reported = async (before: number) =>
        (await store.archive.ended({ before, limit: 9 })).map(({ row }) => row.runId)
      expect(await reported(1000)).toEqual([early.runId, late.runId])
      expect([await reported(300), await store.archive.count(1000)]).toEqual([[early.runId], 2])
      const [first] = await store.archive.ended({ before: 1000, limit: 1 })
      const rest = await store.archive.ended({ before: 1000, after: first?.cursor, limit: 9 })
      expect(rest.map(({ row }) => row.runId)).toEqual([late.runId])
      await startedRun(store)
      expect(await reported(1000)).toContain(newest.runId)
    })

    test('AR-3: a run that has gone on is not marked, and one mark stands', async () => {
      const { store } = await open()
      const writer = await endedRun(store, 100)
      const stale = archivedOf(writer)
      await append(store, writer, [notice('late')], { row: ended })
      expect(await store.archive.mark(stale, emptySnapshot)).toBe(false)
      expect(await store.archive.get(writer.runId)).toBeUndefined()
      const archived = archivedOf(writer)
      const marks = Array.from({ length: 4 }, (_, node) =>
        store.archive.mark({ ...archived, node: `n${node}` }, emptySnapshot),
      )
      expect((await Promise.all(marks)).filter(Boolean)).toEqual([true])
      expect(await store.archive.get(writer.runId)).toMatchObject({ seq: archived.seq })
    })

    test('AR-2: row and snapshot stay, and what comes later goes on from the chain', async () => {
      const { store, reopen } = await open()
      const writer = await endedRun(store, 100)
      const archived = archivedOf(writer)
      await startedRun(store)
      await store.archive.mark(archived, emptySnapshot)
      expect(await store.archive.unfinished(9)).toEqual([archived])
      const part = partOf(archived)
      await store.archive.removeEntries(part)
      await store.archive.removeEntries(part)
      await store.archive.finish(writer.runId)
      await store.close()
      const again = await reopen()
      expect(await again.archive.unfinished(9)).toEqual([])
      expect([await again.archive.list({ limit: 9 }), await again.archive.total()]).toEqual([
        [archived],
        1,
      ])
      const page = { after: 0, limit: 9 }
      expect(await again.runs.entries(writer.runId, page)).toEqual([])
      expect(await again.runs.blobsOfCall(writer.runId, 'c1')).toEqual([])
      expect(await again.approvals.get(`apr_${writer.runId}`)).toBeUndefined()
      const loaded = await again.runs.load(writer.runId)
      expect(loaded).toMatchObject({ snapshotSeq: archived.seq, after: [], row: { seq: 3 } })
      expect(await again.archive.count(1000)).toBe(0)
      await append(again, writer, [notice('after the end')], { row: ended })
      const [late] = await again.runs.entries(writer.runId, page)
      expect([late?.seq, late?.prev]).toEqual([4, archived.chain])
      expect(await again.archive.mark(archivedOf(writer), emptySnapshot)).toBe(true)
    })

    test('AR-3: what came behind the archived part stays, whatever the clock says', async () => {
      const { store } = await open()
      const writer = await endedRun(store, 100)
      const { runId } = writer
      const archived = archivedOf(writer)
      await startedRun(store)
      await store.archive.mark(archived, emptySnapshot)
      await append(store, writer, [notice('late')], {
        row: ended,
        blobs: [
          { hash: 'h2', callId: 'c1', what: 'output', text: '"late"' },
          { hash: 'h3', callId: 'c2', what: 'input', text: '{}' },
        ],
        opened: [{ ...opening, approvalId: `late_${runId}`, runId, openedAt: 1 }],
      })
      const verdict = 'approved'
      const closed = [
        { approvalId: `late_${runId}`, verdict, by: 'ada', at: 2, note: null },
      ] as const
      await append(store, writer, [notice('later')], { row: ended, closed })
      await store.archive.removeEntries(partOf(archived))
      await store.archive.finish(runId)
      expect(await store.runs.blobsOfCall(runId, 'c1')).toMatchObject([{ hash: 'h2' }])
      expect(await store.runs.blobsOfCall(runId, 'c2')).toMatchObject([{ hash: 'h3' }])
      expect(await store.approvals.get(`late_${runId}`)).toMatchObject({ status: 'approved' })
      expect(await store.approvals.get(`apr_${runId}`)).toBeUndefined()
    })

    test('AR-2: of many nodes that remove the same entries, each cost is kept once', async () => {
      const { store } = await open()
      const { writer } = await startedRun(store)
      const [first, second] = [3_600_000 * 7 + 5, 3_600_000 * 9]
      await append(store, writer, [cost('c1', first, 30), cost('c2', first, 12)])
      await append(store, writer, [cost('c3', second, 1)], { row: ended })
      const archived = archivedOf(writer)
      await startedRun(store)
      const page = { from: 0, to: 3_600_000 * 10 }
      const before = await store.spend.byHour(page)
      expect(before.map(({ costMicros }) => costMicros)).toEqual([42, 1])
      await store.archive.mark(archived, emptySnapshot)
      for (const upTo of [2, archived.seq]) {
        const part = { ...partOf(archived), upTo }
        await Promise.all(Array.from({ length: 6 }, () => store.archive.removeEntries(part)))
        expect(await store.spend.byHour(page)).toEqual(before)
      }
      await store.archive.finish(writer.runId)
      expect(await store.spend.byHour({ ...page, from: second })).toEqual(before.slice(1))
    })
  })
}

/** A run with a call and an answered question that ended at a time. */
async function endedRun(store: Store, updatedAt: number): Promise<Writer> {
  const { run, writer } = await startedRun(store)
  const approvalId = `apr_${run.runId}`
  await append(store, writer, [decided('c1')], {
    blobs: [{ hash: 'h', callId: 'c1', what: 'input', text: '{}' }],
    opened: [{ ...opening, approvalId, runId: run.runId, openedAt: 1 }],
  })
  await append(store, writer, [notice('ended')], {
    row: { ...ended, updatedAt },
    closed: [{ approvalId, verdict: 'approved', by: 'ada', at: 2, note: null }],
  })
  return writer
}

function cost(callId: string, at: number, cost_micros: number): Entry {
  const facts = { tool: 'Read', bytes: 1, exit: 'success' } as const
  return { type: 'call_finished', call_id: callId, ...facts, cost_micros, at }
}

function partOf({ runId, seq }: ArchivedRun) {
  return { runId, upTo: seq, values: [{ callId: 'c1', hash: 'h' }], approvals: [`apr_${runId}`] }
}

function archivedOf({ runId, entries }: Writer): ArchivedRun {
  const { seq = 0, hash: chain = '' } = entries.at(-1) ?? {}
  return { runId, seq, chain, archivedAt: 5000, node: 'n', file: `/srv/archive/${runId}.jsonl` }
}
