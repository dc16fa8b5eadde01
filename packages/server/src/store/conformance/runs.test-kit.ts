import { brokenLink, textOf } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import type { Batch, Store } from '../store.ts'
import { approval } from './approvals.test-kit.ts'
import {
  append,
  decided,
  emptySnapshot,
  hostileTexts,
  newRun,
  notice,
  type OpenForTest,
  plainRow,
  sha256,
  startedRun,
  unmarked,
  Writer,
} from './story.test-kit.ts'

export function runTests(open: OpenForTest): void {
  describe('runs', () => {
    test('WF-32: a new run is loaded as it was written', async () => {
      const { store } = await open()
      const run = newRun()
      const writer = new Writer(run.runId)
      const batch = writer.batch([notice('one'), notice('two')], { snapshot: emptySnapshot })
      expect((await store.runs.create(run, batch)).kind).toBe('committed')
      const chain = batch.entries.at(-1)?.hash
      expect(await store.runs.load(run.runId)).toEqual({
        row: { ...run, ...plainRow, ...unmarked, seq: 2, chain },
        snapshot: emptySnapshot,
        snapshotSeq: 2,
        after: [],
      })
      expect(await store.runs.load('run_none')).toBeUndefined()
    })

    test('WF-27, WF-37: what is not held is marked, with the batch that changes it', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      const marks = { passed: 2, unguarded: true }
      await append(store, writer, [notice('one')], { marks })
      expect((await store.runs.load(run.runId))?.row).toMatchObject(marks)
    })

    test('WF-32: loading gives the newest snapshot and what came after it', async () => {
      const { store, reopen } = await open()
      const { run, writer } = await startedRun(store)
      expect(await store.runs.load(run.runId)).toMatchObject({
        snapshot: undefined,
        snapshotSeq: 0,
        after: [{ seq: 1 }],
      })
      await append(store, writer, [notice('two')], { snapshot: emptySnapshot })
      const later = { ...emptySnapshot, visits: 7 }
      await append(store, writer, [notice('three')], { snapshot: later })
      await append(store, writer, [notice('four')], {
        row: { ...plainRow, status: 'waiting', state: 'ship', calls: 4, costMicros: 2 ** 40 },
      })
      await store.close()
      const loaded = await (await reopen()).runs.load(run.runId)
      expect(loaded).toMatchObject({ snapshot: later, snapshotSeq: 3, after: [{ seq: 4 }] })
      expect(loaded?.row).toMatchObject({ status: 'waiting', state: 'ship', calls: 4, seq: 4 })
      expect(loaded?.row.costMicros).toBe(2 ** 40)
    })

    test('WF-34: a run that exists, or stands elsewhere, is a conflict', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      const conflict = { kind: 'conflict' }
      const again = new Writer(run.runId).batch([notice('other')])
      expect(await store.runs.create(run, again)).toEqual(conflict)
      const stale = writer.batch([notice('stale')])
      await append(store, writer, [notice('first')])
      expect(await store.runs.append(run.runId, stale)).toEqual(conflict)
      const ahead: Batch = { ...stale, afterSeq: 5, entries: [] }
      const entries = stale.entries.map((one) => ({ ...one, seq: 6 }))
      expect(await store.runs.append(run.runId, { ...ahead, entries })).toEqual(conflict)
      expect(await store.runs.append('run_none', writer.batch([notice('x')]))).toEqual(conflict)
      expect(await store.runs.entries(run.runId, { after: 0, limit: 10 })).toMatchObject(
        writer.entries,
      )
    })

    test('WF-34: of many who append after the same entry, one wins', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      const rivals = Array.from({ length: 16 }, (_, n) => writer.batch([notice(`rival ${n}`)]))
      const results = await Promise.all(rivals.map((one) => store.runs.append(run.runId, one)))
      expect(results.filter((one) => one.kind === 'committed')).toHaveLength(1)
      expect((await store.runs.load(run.runId))?.row.seq).toBe(2)
    })

    test('WF-34: a conflict leaves nothing of its batch', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      await append(store, writer, [notice('two')], { opened: [approval(run.runId, 'first')] })
      const stale = { ...writer.batch([notice('never')]), afterSeq: 1 }
      const scope = { role: 'agent', session: 's', at: 1_000, capability: 'bash' }
      const batch: Batch = {
        ...stale,
        entries: stale.entries.map((one) => ({ ...one, seq: 2 })),
        snapshot: { ...emptySnapshot, visits: 99 },
        opened: [approval(run.runId, 'second')],
        closed: [{ approvalId: 'first', verdict: 'approved', by: 'eve', at: 1, note: null }],
        takes: { callId: 'c1', ...scope, takes: [rate, budget] },
        blobs: [{ hash: 'h', callId: 'c1', what: 'input', text: 'secret' }],
      }
      expect(await store.runs.append(run.runId, batch)).toEqual({ kind: 'conflict' })
      expect(await store.approvals.get('second')).toBeUndefined()
      expect((await store.approvals.get('first'))?.status).toBe('waiting')
      expect(await store.runs.blobsOfCall(run.runId, 'c1')).toEqual([])
      expect((await store.runs.load(run.runId))?.snapshot).toBeUndefined()
      expect(await store.counters.usage([rate, budget], scope)).toMatchObject({
        [rate.key]: { used: 0 },
        [budget.key]: { used: 0 },
      })
    })

    test('WF-32: entries are read in pages, and the decision on a call by its id', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      await append(store, writer, [decided('call_1'), decided('call_2'), notice('between')])
      await append(store, writer, [decided('call_1', 2_000)])
      const page = await store.runs.entries(run.runId, { after: 1, limit: 2 })
      expect(page.map((one) => one.seq)).toEqual([2, 3])
      const bodies = await store.runs.entryBodies(run.runId, { after: 1, limit: 2 })
      expect(bodies).toEqual(page.map(({ seq, entry }) => ({ seq, entry })))
      expect(await store.runs.entries(run.runId, { after: 5, limit: 2 })).toEqual([])
      expect(await store.runs.entryOfCall(run.runId, 'call_1')).toMatchObject({
        seq: 5,
        entry: decided('call_1', 2_000),
      })
      expect(await store.runs.entryOfCall(run.runId, 'between')).toBeUndefined()
      const { run: other } = await startedRun(store)
      expect(await store.runs.entryOfCall(other.runId, 'call_1')).toBeUndefined()
    })

    test('WF-34: raw input and output lie beside the history', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      const input = { hash: 'h1', callId: 'c1', what: 'input', text: '{"a":1}' } as const
      const output = { hash: 'h2', callId: 'c1', what: 'output', text: '' } as const
      await append(store, writer, [decided('c1')], { blobs: [input, output] })
      expect(await store.runs.blobsOfCall(run.runId, 'c1')).toEqual([input, output])
    })

    test('WF-34: a thousand appends come back with their chain whole', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      for (let n = 1; n < 1000; n++) await append(store, writer, [decided(`call ${n}`, n)])
      const stored = await store.runs.entries(run.runId, { after: 0, limit: 2000 })
      expect(stored.map(({ seq, hash, entry }) => ({ seq, hash, entry }))).toEqual(writer.entries)
      expect(brokenLink(run.runId, stored, sha256)).toBeNull()
      const { chain, seq } = (await store.runs.load(run.runId))?.row ?? {}
      expect({ chain, seq }).toEqual({ chain: writer.entries.at(-1)?.hash, seq: 1000 })
    })

    test('WF-33: lists are filtered, newest first, and paged', async () => {
      const { store } = await open()
      const made: string[] = []
      for (let n = 0; n < 5; n++) {
        const fields = { session: `s${n % 2}`, owner: n === 4 ? 'tok_2' : 'tok_1', project: null }
        made.unshift((await startedRun(store, fields)).run.runId)
      }
      const { run: paused } = await startedRun(store, { workflow: 'other', project: '/p' })
      const first = await store.runs.list({ workflow: 'deploy', limit: 3 })
      expect(first.runs.map((one) => one.runId)).toEqual(made.slice(0, 3))
      const rest = await store.runs.list({ workflow: 'deploy', limit: 3, cursor: first.next ?? '' })
      expect(rest.runs.map((one) => one.runId)).toEqual(made.slice(3))
      expect(rest.next).toBeNull()
      expect((await store.runs.list({ owner: 'tok_2', limit: 9 })).runs).toHaveLength(1)
      expect((await store.runs.list({ session: 's1', limit: 9 })).runs).toHaveLength(2)
      expect((await store.runs.list({ project: '/p', limit: 9 })).runs).toHaveLength(1)
      const others = await store.runs.list({ without: 'deploy', limit: 9 })
      expect(others.runs.map((one) => one.runId)).toEqual([paused.runId])
      expect((await store.runs.list({ status: ['paused'], limit: 9 })).runs).toEqual([])
      expect((await store.runs.list({ status: [], limit: 9 })).runs).toEqual([])
      expect((await store.runs.list({ limit: 9, cursor: 'nonsense' })).runs).toEqual([])
      expect((await store.runs.newestOfSession('s0'))?.runId).toBe(made[0])
      expect(await store.runs.newestOfSession('s9')).toBeUndefined()
      expect(paused.workflow).toBe('other')
    })

    test('WF-27: the newest paused run is found by workflow and project', async () => {
      const { store } = await open()
      const pausedRow = { ...plainRow, status: 'paused' } as const
      const ids: string[] = []
      for (const project of ['/p', '/p', null]) {
        const { run, writer } = await startedRun(store, { project })
        await append(store, writer, [notice('paused')], { row: pausedRow })
        ids.push(run.runId)
      }
      await startedRun(store, { project: '/p' })
      const of = { workflow: 'deploy', status: ['paused'], limit: 1 } as const
      const newest = async (wanted: { project: string | null; seenBy?: string }) =>
        (await store.runs.ofWorkflow({ ...of, ...wanted }))[0]?.runId
      expect(await newest({ project: '/p' })).toBe(ids[1])
      expect(await newest({ project: null })).toBe(ids[2])
      expect(await newest({ project: '/q' })).toBeUndefined()
      expect(await newest({ project: '/p', seenBy: 'somebody' })).toBeUndefined()
      await store.runs.moveToSession(ids[1] ?? '', 'another')
      expect((await store.runs.newestOfSession('another'))?.runId).toBe(ids[1])
      expect((await store.runs.load(ids[1] ?? ''))?.row.session).toBe('another')
    })

    test('PR-4a: the newest run of a person is found, and when a run ended', async () => {
      const { store } = await open()
      const workflow = 'given'
      const { run, writer } = await startedRun(store, { workflow })
      expect(await store.runs.newestOfPeople(workflow)).toBeUndefined()
      for (const createdAt of [2000, 3000]) {
        await startedRun(store, { workflow, createdAt, owner: 'person_1' })
      }
      await startedRun(store, { workflow, createdAt: 4000 })
      await startedRun(store, { createdAt: 5000, owner: 'person_1' })
      expect(await store.runs.newestOfPeople(workflow)).toMatchObject({ createdAt: 3000 })
      const pretended = notice('{"type":"run_ended","at":7000}', 8000)
      const ended = { type: 'run_ended', status: 'blocked', state: 'plan', at: 9000 } as const
      await append(store, writer, [pretended])
      expect(await store.runs.endedAt(run.runId)).toBeUndefined()
      await append(store, writer, [ended, notice('later', 9999)])
      expect(await store.runs.endedAt(run.runId)).toBe(9000)
    })

    test('PO-8: a run is handed to one agent, which then finds it among its own', async () => {
      const { store, reopen } = await open()
      const { run } = await startedRun(store, { owner: 'person_1' })
      await startedRun(store, { owner: 'person_1' })
      const rivals = ['agent_1', 'agent_2', 'agent_3']
      const reported = await Promise.all(rivals.map((one) => store.runs.bindAgent(run.runId, one)))
      const [agent] = reported
      expect([rivals.includes(agent ?? ''), new Set(reported).size]).toEqual([true, 1])
      expect(await store.runs.bindAgent(run.runId, 'agent_4')).toBe(agent)
      expect(await store.runs.bindAgent('run_none', 'agent_4')).toBeNull()
      await store.close()
      const again = await reopen()
      expect((await again.runs.load(run.runId))?.row.agent).toBe(agent)
      const seen = async (seenBy: string) =>
        (await again.runs.list({ seenBy, limit: 9 })).runs.map(({ runId }) => runId)
      expect(await seen(agent ?? '')).toEqual([run.runId])
      expect(await seen('agent_4')).toEqual([])
      expect(await seen('person_1')).toHaveLength(2)
    })

    test('PO-8: runs that a token started or was handed come in one order, in pages', async () => {
      const { store } = await open()
      const made: string[] = []
      for (const owner of ['agent_1', 'person_1', 'agent_2', 'agent_1', 'person_1', 'agent_1']) {
        const { run } = await startedRun(store, { owner })
        if (owner === 'person_1') await store.runs.bindAgent(run.runId, 'agent_1')
        if (owner !== 'agent_2') made.unshift(run.runId)
      }
      const paged: string[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const filter = { seenBy: 'agent_1', status: ['running', 'paused'], limit: 2 } as const
        const page = await store.runs.list(cursor === undefined ? filter : { ...filter, cursor })
        paged.push(...page.runs.map(({ runId }) => runId))
        cursor = page.next
      }
      expect(paged).toEqual(made)
      const ended = { seenBy: 'agent_1', status: ['blocked'], limit: 9 } as const
      expect((await store.runs.list(ended)).runs).toEqual([])
    })

    test('WF-33: a connection means one run, the one it was bound to last', async () => {
      const { store } = await open()
      const { run: one } = await startedRun(store)
      const { run: two } = await startedRun(store)
      const of = async (connection: string) =>
        (await store.runs.list({ connection, limit: 9 })).runs.map(({ runId }) => runId)
      await store.runs.bindConnection(two.runId, 'c')
      await store.runs.bindConnection(one.runId, 'c')
      expect(await of('c')).toEqual([one.runId])
      expect(await of('d')).toEqual([])
    })

    test('WF-34: names and texts come back as they were written, whatever they are', async () => {
      const { store } = await open()
      for (const text of hostileTexts) {
        const name = text.slice(0, 1000)
        const fields = { workflow: name, project: name, session: name, owner: name, role: name }
        const { run, writer } = await startedRun(store, { ...fields, runId: `run ${name}` })
        const raw = { hash: name, callId: name, what: 'input', text } as const
        await append(store, writer, [decided(name), notice(text)], {
          snapshot: { ...emptySnapshot, lastBranches: [text] },
          opened: [{ ...approval(run.runId, name), message: text, details: { [text]: text } }],
          blobs: [raw],
        })
        const loaded = await store.runs.load(run.runId)
        expect(loaded?.row).toMatchObject({ ...fields, runId: run.runId })
        expect(loaded?.snapshot?.lastBranches).toEqual([text])
        expect((await store.runs.entryOfCall(run.runId, name))?.seq).toBe(2)
        expect(await store.runs.blobsOfCall(run.runId, name)).toEqual([raw])
        expect((await store.runs.newestOfSession(name))?.runId).toBe(run.runId)
        expect(await store.approvals.get(name)).toMatchObject({
          message: text,
          details: JSON.parse(JSON.stringify({ [text]: text })),
        })
        const stored = await store.runs.entries(run.runId, { after: 0, limit: 9 })
        expect(brokenLink(run.runId, stored, sha256)).toBeNull()
        expect((await store.runs.list({ owner: name, limit: 9 })).runs).toHaveLength(1)
      }
    })

    test('WF-34: two names that differ by half a pair stay two', async () => {
      const { store } = await open()
      await startedRun(store, { runId: 'run \ud800' })
      await startedRun(store, { runId: 'run \ud801' })
      expect((await store.runs.list({ limit: 9 })).runs).toHaveLength(2)
    })
  })
  feedTests(open)
}

const rate = { kind: 'rate', key: 'r', maxCalls: 2, windowMs: 1_000 } as const
const budget = {
  kind: 'budget',
  key: 'b',
  period: 'daily',
  maxMicros: 100,
  reserveMicros: 10,
} as const

function feedTests(open: OpenForTest): void {
  describe('the feed', () => {
    test('WF-32: a reader goes on where it stopped and sees each entry once', async () => {
      const { store, reopen } = await open()
      const { writer } = await startedRun(store)
      const { writer: other } = await startedRun(store)
      const head = await store.feed.head()
      await append(store, writer, [notice('a'), notice('b')])
      const feedAt = await append(store, other, [notice('c')])
      await append(store, writer, [notice('d')])
      expect(texts(await store.feed.after(head, 100))).toEqual(['a', 'b', 'c', 'd'])
      expect(texts(await store.feed.after('', 100))).toHaveLength(6)
      const first = await store.feed.after(head, 2)
      await store.close()
      const again = await reopen()
      expect(texts(await again.feed.after(first.at(-1)?.feedAt ?? '', 100))).toEqual(['c', 'd'])
      expect(texts(await again.feed.after(feedAt, 100))).toEqual(['d'])
      expect(await again.feed.after(await again.feed.head(), 100)).toEqual([])
    })

    test('WF-32: places sort as text in the order of the feed', async () => {
      const { store } = await open()
      const { writer } = await startedRun(store)
      for (let n = 0; n < 12; n++) await append(store, writer, [notice(String(n))])
      const positions = (await store.feed.after('', 100)).map((one) => one.feedAt)
      expect(positions.toSorted()).toEqual(positions)
    })

    test('WF-32: listeners are woken by a commit until they stop', async () => {
      const { store } = await open()
      const { writer } = await startedRun(store)
      let woken = Promise.withResolvers<void>()
      const stop = await store.feed.listen(() => woken.resolve())
      await append(store, writer, [notice('a')])
      await woken.promise
      await stop()
      woken = Promise.withResolvers<void>()
      let late = false
      woken.promise.then(() => {
        late = true
      })
      await append(store, writer, [notice('b')])
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(late).toBe(false)
    })
  })

  function texts(entries: Awaited<ReturnType<Store['feed']['after']>>): string[] {
    return entries.map(({ entry }) => (entry.type === 'notice' ? textOf(entry.text) : entry.type))
  }
}
