import { describe, expect, test } from 'vitest'
import { newSession } from '../../packages/server/src/store/conformance/sessions.test-kit.ts'
import {
  append,
  notice,
  type OpenedStore,
  startedRun,
} from '../../packages/server/src/store/conformance/story.test-kit.ts'
import { conformanceTests } from '../../packages/server/src/store/conformance/suite.test-kit.ts'
import { Connections } from '../../packages/server/src/store/postgres/connections.ts'
import { lateQuery } from '../../packages/server/src/store/postgres/feed-listener.ts'
import {
  postgresMigrations,
  restoredQuery,
} from '../../packages/server/src/store/postgres/migrations.ts'
import { openPostgresStore } from '../../packages/server/src/store/postgres/open-postgres-store.ts'
import { postgresStores, until } from '../support/postgres-stores.ts'

const { postgres, openNode, keep } = postgresStores()

describe('Postgres', () => {
  conformanceTests(openForTest)

  test('PO-5: two nodes share a rate, by the clock of the database', async () => {
    const databaseUrl = await postgres().database()
    const nodes = [await openNode(databaseUrl), await openNode(databaseUrl)]
    const limit = { kind: 'rate', key: 'mail', maxCalls: 10, windowMs: 60_000 } as const
    // A node whose own clock is wrong by years must not be able to open the window.
    const takers = await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        const node = nodes[n % 2] ?? raise()
        return { node, at: n * 1e10, ...(await startedRun(node)) }
      }),
    )
    const results = await Promise.all(
      takers.map(({ node, writer, at }) => {
        const scope = { role: 'agent', session: '', capability: 'mail' }
        const takes = { callId: 'c', ...scope, at, takes: [limit] }
        return node.runs.append(writer.runId, writer.batch([notice('sent')], { takes }))
      }),
    )
    expect(results.filter((one) => one.kind === 'committed')).toHaveLength(10)
  })

  test('ND-1, ND-2: each change that other nodes must know of raises a number', async () => {
    const node = await openNode(await postgres().database())
    const { writer } = await startedRun(node)
    const { runId } = writer
    const kind = 'agent' as const
    const facts = { kind, role: kind, name: kind, hash: 'h', createdAt: 1, createdBy: 'ann' }
    const unset = { expiresAt: null, revokedAt: null, person: null, verbs: null }
    const over = { ...writer.batch([notice('over')]).row, status: 'stopped' as const }
    const changes: [string, () => Promise<unknown>][] = [
      ['', () => node.settings.set('session.s', 'agent_1')],
      ['rules', () => node.settings.set('config.mode', '{}')],
      ['rules', () => node.settings.swap('config.accepted', undefined, '{}')],
      ['rules', () => node.settings.set('upstream.tools.files', '{}')],
      ['', () => node.tokens.add({ tokenId: 'agent_1', ...facts, ...unset })],
      ['rules', () => node.tokens.revoke('agent_1', 2)],
      ['', () => node.tokens.revoke('agent_1', 3)],
      ['rules', () => node.tokens.renew({ tokenId: 'agent_1', ...facts, ...unset })],
      ['', () => append(node, writer, [notice('seen')])],
      ['bonds', () => startedRun(node)],
      ['bonds', () => node.runs.moveToSession(runId, 's')],
      ['bonds', () => node.runs.bindAgent(runId, 'agent_1')],
      ['bonds', () => node.runs.bindConnection(runId, 'c')],
      ['bonds', () => node.runs.append(runId, { ...writer.batch([notice('end')]), row: over })],
    ]
    const raised: string[] = []
    for (const [, change] of changes) {
      const before = await node.nodes.shared?.versions()
      await change()
      const after = await node.nodes.shared?.versions()
      const names = ['rules', 'bonds'] as const
      raised.push(names.filter((name) => before?.[name] !== after?.[name]).join())
    }
    expect(raised).toEqual(changes.map(([what]) => what))
  })

  test('SE-18: a node keeps its sessions for as long as its word holds', async () => {
    const databaseUrl = await postgres().database()
    const [one, other] = [await openNode(databaseUrl), await openNode(databaseUrl)]
    const { shared } = one.nodes
    await one.sessions.create(newSession('sess_1', 'one'))
    expect(await shared?.renew('one', 'mark', 60_000)).toBe(0)
    expect(await other.nodes.shared?.renew('other', 'mark', 60_000)).toBe(1)
    expect(await other.nodes.orphans('other', 10)).toEqual([])
    expect(await other.nodes.claim('sess_1', 'one', 'other')).toBe(false)
    await shared?.leave('one')
    expect(await other.nodes.orphans('other', 10)).toMatchObject([{ node: 'one', mark: 'mark' }])
    // Words that come again give it back, as long as nobody has taken it.
    await shared?.renew('one', 'mark', 60_000)
    expect(await other.nodes.claim('sess_1', 'one', 'other')).toBe(false)
    await shared?.leave('one')
    expect(await other.nodes.claim('sess_1', 'one', 'other')).toBe(true)
    expect((await one.sessions.load('sess_1'))?.node).toBe('other')
  })

  test('SE-18: a request waits for its node and is answered with the commit', async () => {
    const databaseUrl = await postgres().database()
    const [one, other] = [await openNode(databaseUrl), await openNode(databaseUrl)]
    await one.sessions.create(newSession('sess_1', 'one'))
    const { shared } = other.nodes
    const request = { requestId: 'req_1', sessionId: 'sess_1', body: '{"a":1}' }
    await shared?.post(request)
    await shared?.post({ ...request, requestId: 'req_2' })
    expect(await shared?.posted('other', 10)).toEqual([])
    expect((await one.nodes.shared?.posted('one', 10))?.[0]).toEqual(request)
    expect(await shared?.takeAnswer('req_1')).toBeUndefined()
    const step = { after: 0, updates: [], messages: [], messageCount: 0, state: null }
    const answered = [{ requestId: 'req_1', answer: '{"refusal":null}' }]
    const batch = { ...step, answered, updatedAt: 1, costMicros: 0 }
    expect(await one.sessions.append('sess_1', { ...batch, node: 'other' })).toBe(false)
    expect(await shared?.takeAnswer('req_1')).toBeUndefined()
    expect(await one.sessions.append('sess_1', { ...batch, node: 'one' })).toBe(true)
    expect(await one.nodes.shared?.posted('one', 10)).toMatchObject([{ requestId: 'req_2' }])
    expect(await shared?.takeAnswer('req_1')).toBe('{"refusal":null}')
    expect(await shared?.takeAnswer('req_1')).toBeUndefined()
    await shared?.withdraw('req_2')
    expect(await one.nodes.shared?.posted('one', 10)).toEqual([])
    expect(await shared?.positions(['sess_1', 'sess_none'])).toEqual(new Map([['sess_1', 0]]))
  })

  test('WF-32: the feed does not pass by a transaction that commits late', async () => {
    const databaseUrl = await postgres().database()
    const store = await openNode(databaseUrl)
    const { writer } = await startedRun(store)
    const { writer: late } = await startedRun(store)
    const head = await store.feed.head()
    const connections = new Connections({ databaseUrl, poolSize: 1 })
    keep(connections)
    // A reader that looks only when it is woken, and goes on where it stopped.
    const seen: string[] = []
    let wakes = 0
    let reading = Promise.resolve(head)
    const read = async (position: string) => {
      const entries = await store.feed.after(position, 10)
      seen.push(...entries.map((one) => one.runId))
      return entries.at(-1)?.feedAt ?? position
    }
    await store.feed.listen(() => {
      wakes++
      reading = reading.then(read)
    })

    // The older transaction has its number, and its place, before the younger one commits.
    const { entries } = late.batch([notice('late')])
    await connections.withClient(async (client) => {
      await client.query('BEGIN')
      const values = [late.runId, 2, entries[0]?.hash, JSON.stringify(entries[0]?.entry)]
      await client.query(
        'INSERT INTO entries (run_id, seq, hash, entry) VALUES ($1, $2, $3, $4)',
        values,
      )
      await append(store, writer, [notice('early')])
      await until(() => wakes > 0)
      await reading
      expect(seen).toEqual([])
      // It sends no notice of its own, so the listener must find out by itself.
      await client.query('COMMIT')
    })
    await until(() => seen.length === 2)
    expect(seen).toEqual([late.runId, writer.runId])
  })

  test('WF-32: a place in the feed is newer than all places read before, under load', async () => {
    const databaseUrl = await postgres().database()
    const nodes = [await openNode(databaseUrl), await openNode(databaseUrl)]
    const reader = nodes[0] ?? raise()
    let position = await reader.feed.head()
    const seen: string[] = []
    let done = false
    const reading = (async () => {
      for (let last = false; !last; ) {
        last = done
        const entries = await reader.feed.after(position, 50)
        seen.push(...entries.map((one) => `${one.runId} ${one.seq}`))
        position = entries.at(-1)?.feedAt ?? position
        if (entries.length > 0) last = false
      }
    })()
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const node = nodes[n % 2] ?? raise()
        const { writer } = await startedRun(node)
        for (let step = 0; step < 25; step++) await append(node, writer, [notice('x')])
      }),
    )
    done = true
    await reading
    expect(seen).toHaveLength(12 * 26)
    expect(new Set(seen).size).toBe(12 * 26)
  })

  test('WF-34: decisions that wait together are written together, each for itself', async () => {
    const databaseUrl = await postgres().database()
    const store = await openNode(databaseUrl)
    const runs = await Promise.all(Array.from({ length: 40 }, () => startedRun(store)))
    const policyEpoch = await store.policies.epoch()
    const batches = runs.map(({ writer }) => writer.batch([notice('decided')], { policyEpoch }))
    // Somebody else was faster with the one, and Postgres cannot read the other.
    const [faster, unreadable] = [runs[20]?.writer ?? raise(), 30]
    await append(store, faster, [notice('faster')])
    const results = await Promise.allSettled(
      batches.map((batch, at) => {
        const bad = at === unreadable ? { row: { ...batch.row, calls: Number.NaN } } : {}
        return store.runs.append(runs[at]?.writer.runId ?? '', { ...batch, ...bad })
      }),
    )
    const reported = results.map((one) => (one.status === 'rejected' ? 'refused' : one.value.kind))
    const expected = batches.map(() => 'committed')
    expected[20] = 'conflict'
    expected[unreadable] = 'refused'
    expect(reported).toEqual(expected)
    for (const [at, { writer }] of runs.entries()) {
      const stored = await store.runs.entries(writer.runId, { after: 1, limit: 9 })
      const ours =
        at === unreadable ? [] : at === 20 ? writer.entries.slice(1) : batches[at]?.entries
      expect(stored.map((one) => one.hash)).toEqual(ours?.map((one) => one.hash))
    }
    const connections = new Connections({ databaseUrl, poolSize: 1 })
    keep(connections)
    const text = `SELECT count(DISTINCT xid)::int AS count FROM entries WHERE seq = 2`
    const { rows } = await connections.query<{ count: number }>({ text, values: [] })
    expect(rows[0]?.count).toBeLessThan(36)
  })

  test('WF-32: what is asked all the time reads no more than the end of the feed', async () => {
    const databaseUrl = await postgres().database()
    await openNode(databaseUrl)
    const connections = new Connections({ databaseUrl, poolSize: 1 })
    keep(connections)
    const ask = (text: string) => connections.query<{ 'QUERY PLAN': string }>({ text, values: [] })
    // As after a morning's work, before Postgres has looked at the table by itself.
    await ask(`INSERT INTO entries (run_id, seq, hash, entry)
      SELECT 'r', number, 'h', repeat('x', 300) FROM generate_series(1, 20000) AS number`)
    for (const query of [lateQuery, restoredQuery]) {
      const { rows } = await ask(`EXPLAIN ${query}`)
      const plan = rows.map((row) => row['QUERY PLAN']).join(' ')
      expect(plan).toContain('Index Only Scan Backward')
      expect(plan).not.toContain('Seq Scan')
    }
  })

  test('WF-32: a commit on one node wakes the other', async () => {
    const databaseUrl = await postgres().database()
    const [one, two] = [await openNode(databaseUrl), await openNode(databaseUrl)]
    let wakes = 0
    await two.feed.listen(() => wakes++)
    await startedRun(one)
    await until(() => wakes > 0)
  })

  async function openForTest(): Promise<OpenedStore> {
    const databaseUrl = await postgres().database()
    let now = 0
    const open = async () => {
      const store = await openPostgresStore({ databaseUrl, poolSize: 4, clock: () => now })
      keep(store)
      return store
    }
    const setClock = (at: number) => {
      now = at
    }
    return { store: await open(), reopen: open, setClock }
  }
})

describe('the schema in Postgres', () => {
  test('WF-34: nodes that start together migrate once; a newer schema is left alone', async () => {
    const databaseUrl = await postgres().database()
    await Promise.all([openNode(databaseUrl), openNode(databaseUrl), openNode(databaseUrl)])
    const connections = new Connections({ databaseUrl, poolSize: 1 })
    keep(connections)
    const { rows } = await connections.query({ text: 'SELECT id FROM migrations', values: [] })
    expect(rows).toEqual(postgresMigrations.map(({ id }) => ({ id })))
    await connections.query({ text: `INSERT INTO migrations VALUES (99, 'x', 0)`, values: [] })
    await expect(openPostgresStore({ databaseUrl })).rejects.toMatchObject({
      name: 'StoreFault',
      reason: 'too_new',
    })
  })

  test('WF-34: the password is in no fault', async () => {
    const url = new URL(await postgres().database())
    url.password = 'wrong-secret'
    const fault = await openPostgresStore({ databaseUrl: url.href }).catch((error) => error)
    expect(fault).toMatchObject({ reason: 'unavailable' })
    expect(`${fault.message} ${fault.where} ${fault.next}`).not.toContain('wrong-secret')
  })
})

function raise(): never {
  throw new Error('bug: there are two nodes')
}
