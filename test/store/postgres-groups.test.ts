import { expect, test } from 'vitest'
import {
  append,
  decided,
  notice,
  startedRun,
} from '../../packages/server/src/store/conformance/story.test-kit.ts'
import { Connections } from '../../packages/server/src/store/postgres/connections.ts'
import { postgresMigrations } from '../../packages/server/src/store/postgres/migrations.ts'
import { postgresStores } from '../support/postgres-stores.ts'

const { postgres, openNode, keep } = postgresStores()

function connect(databaseUrl: string): Connections {
  const connections = new Connections({ databaseUrl, poolSize: 2 })
  keep(connections)
  return connections
}

test('PO-1d: decisions that wait for a change of the rules are in conflict with it', async () => {
  const databaseUrl = await postgres().database()
  const store = await openNode(databaseUrl)
  const runs = await Promise.all(Array.from({ length: 6 }, () => startedRun(store)))
  const policyEpoch = await store.policies.epoch()
  const connections = connect(databaseUrl)
  const waiting = `SELECT count(*)::int AS count FROM pg_locks
    WHERE locktype = 'advisory' AND mode = 'ShareLock' AND NOT granted`
  const writes = await connections.withClient(async (client) => {
    await client.query('BEGIN')
    await client.query(`INSERT INTO settings VALUES ('config.mode', '{}')`)
    // The last one is about no rules, as the end of a call is.
    const sent = runs.map(({ writer }, at) => {
      const batch = writer.batch([notice('x')], at === 5 ? {} : { policyEpoch })
      return store.runs.append(writer.runId, batch)
    })
    const held = async () => (await client.query<{ count: number }>(waiting)).rows[0]?.count ?? 0
    for (let tries = 0; (await held()) === 0; tries++) {
      if (tries > 500) throw new Error('nobody waits for the change')
    }
    await client.query('COMMIT')
    return sent
  })
  const ends = (await Promise.all(writes)).map(({ kind }) => kind)
  expect(ends).toEqual([...Array(5).fill('conflict'), 'committed'])
  for (const [at, { writer }] of runs.entries()) {
    const stored = await store.runs.entries(writer.runId, { after: 0, limit: 9 })
    expect(stored).toHaveLength(at === 5 ? 2 : 1)
  }
})

test('WF-34: groups of two nodes about the same runs do not wait for each other', async () => {
  const databaseUrl = await postgres().database()
  const nodes = [await openNode(databaseUrl), await openNode(databaseUrl)]
  const [one] = nodes
  if (one === undefined) throw new Error('no node')
  const runs = await Promise.all(Array.from({ length: 12 }, () => startedRun(one)))
  const policyEpoch = await one.policies.epoch()
  for (let round = 0; round < 15; round++) {
    const batches = nodes.map((_, node) => {
      return runs.map(({ writer }) => writer.batch([notice(`${node}`)], { policyEpoch }))
    })
    const ends = await Promise.all(
      nodes.map((node, at) => {
        const sent = runs.map(({ writer }, run) => ({ runId: writer.runId, run }))
        // One asks in the other's reverse order.
        if (at === 1) sent.reverse()
        return Promise.all(
          sent.map(async ({ runId, run }) => {
            const batch = batches[at]?.[run]
            if (batch === undefined) throw new Error('no batch')
            return { run, batch, end: await node.runs.append(runId, batch) }
          }),
        )
      }),
    )
    for (const [run, { writer }] of runs.entries()) {
      const won = ends.flat().filter((one) => one.run === run && one.end.kind === 'committed')
      expect(won).toHaveLength(1)
      if (won[0] !== undefined) writer.keep(won[0].batch)
    }
  }
  for (const { writer } of runs) {
    const stored = await one.runs.entries(writer.runId, { after: 0, limit: 99 })
    expect(stored.map(({ hash }) => hash)).toEqual(writer.entries.map(({ hash }) => hash))
  }
  const text = `SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`
  const { rows } = await connect(databaseUrl).query<{ deadlocks: number }>({ text, values: [] })
  expect(rows[0]?.deadlocks).toBe(0)
})

test('WF-34: what a group holds is stored as it was, whatever that is', async () => {
  const store = await openNode(await postgres().database())
  const runs = await Promise.all(Array.from({ length: 5 }, () => startedRun(store)))
  const texts = ['', 'a"b\\c{,}NULL', 'nul \u0000 mark \u001a0000', 'half \ud800 pair', 'ä€𝄞']
  const policyEpoch = await store.policies.epoch()
  const sent = await Promise.all(
    runs.map(async ({ writer }, at) => {
      const text = texts[at] ?? ''
      const [first, second] = [decided(`call ${text}`), notice(text)]
      const blobs = [
        { callId: `call ${text}`, what: 'input', hash: text, text },
        { callId: `call ${text}`, what: 'output', hash: 'h', text: text.repeat(1000) },
      ] as const
      const batch = writer.batch([first, second], { blobs, policyEpoch })
      const committed = await store.runs.append(writer.runId, batch)
      return { writer, batch, blobs, committed }
    }),
  )
  for (const { writer, batch, blobs, committed } of sent) {
    const stored = await store.runs.entries(writer.runId, { after: 1, limit: 9 })
    expect(stored.map(({ entry }) => entry)).toEqual(batch.entries.map(({ entry }) => entry))
    expect(committed).toEqual({ kind: 'committed', feedAt: stored.at(-1)?.feedAt })
    const values = blobs.map(({ callId, hash }) => ({ callId, hash }))
    expect(await store.archive.blobs(writer.runId, values)).toEqual(blobs)
    const found = await store.runs.entryOfCall(writer.runId, blobs[0].callId)
    expect(found?.hash).toBe(batch.entries[0]?.hash)
  }
})

test('WF-34: a decision changes no column of its run that an index knows', async () => {
  const databaseUrl = await postgres().database()
  await openNode(databaseUrl)
  const text = `SELECT attname FROM pg_attribute JOIN pg_index ON attrelid = indrelid
    WHERE indrelid = 'runs'::regclass AND (attnum = ANY (indkey)
      OR coalesce(pg_get_expr(indpred, indrelid), '') ~ ('\\m' || attname || '\\M'))`
  const { rows } = await connect(databaseUrl).query<{ attname: string }>({ text, values: [] })
  const known = new Set(rows.map(({ attname }) => attname))
  expect(known).toContain('status')
  const changed = ['seq', 'chain', 'updated_at', 'calls', 'denials', 'transitions', 'cost_micros']
  expect(changed.filter((name) => known.has(name))).toEqual([])
})

test('AR-1: runs that ended before the upgrade or at an old node are found', async () => {
  const databaseUrl = await postgres().database()
  const connections = connect(databaseUrl)
  const ask = (text: string) => connections.query({ text, values: [] })
  for (const { id, statements } of postgresMigrations) {
    if (id <= 20) for (const statement of statements) await ask(statement)
  }
  await ask('CREATE TABLE migrations (id bigint PRIMARY KEY, name text, applied_at bigint)')
  await ask(`INSERT INTO migrations SELECT id, 'x', 1 FROM generate_series(1, 20) AS id`)
  const columns = `run_id, status, updated_at, workflow, kind, hash, owner, role, locked,
    created_at, state, seq, chain, calls, denials, transitions, cost_micros`
  const same = `'w', 'workflow', 'h', 'o', 'agent', 0, 1, 's', 1, 'c', 0, 0, 0, 0`
  const row = (name: string, status: string, at: number) =>
    `('${name}', '${status}', ${at}, ${same})`
  const before = [row('late', 'stopped', 20), row('early', 'failed', 10), row('on', 'running', 5)]
  await ask(`INSERT INTO runs (${columns}) VALUES ${before.join()}`)
  // The run at work last is not told.
  await ask(`INSERT INTO entries (run_id, seq, hash, entry) VALUES ('last', 1, 'h', '{}')`)
  const store = await openNode(databaseUrl)
  const ended = async () => {
    const found = await store.archive.ended({ before: 1000, limit: 10 })
    return found.map(({ row, cursor }) => `${row.runId} ${cursor.updatedAt}`)
  }
  expect(await ended()).toEqual(['early 10', 'late 20'])
  // As a node writes that has not been upgraded yet: a run ends, one goes on, one is new.
  await ask(`UPDATE runs SET status = 'completed', seq = 2, updated_at = 15 WHERE run_id = 'on'`)
  await ask(`UPDATE runs SET updated_at = 30, seq = 2 WHERE run_id = 'early'`)
  await ask(`INSERT INTO runs (${columns}) VALUES ${row('new', 'completed', 25)}`)
  expect(await ended()).toEqual(['on 15', 'late 20', 'new 25', 'early 30'])
  expect(await store.archive.count(26)).toBe(3)
  await ask(`UPDATE runs SET status = 'running', seq = 3, updated_at = 31 WHERE run_id = 'late'`)
  expect(await ended()).toEqual(['on 15', 'new 25', 'early 30'])
})

test('ND-2: which runs moved is known without their entries', async () => {
  const databaseUrl = await postgres().database()
  const store = await openNode(databaseUrl)
  const { writer } = await startedRun(store)
  const { writer: other } = await startedRun(store)
  const start = await store.feed.head()
  for (const text of ['a', 'b', 'c']) await append(store, writer, [notice(text)])
  await append(store, other, [notice('d')])
  const pages: unknown[] = []
  let position = start
  for (let at = 0; at < 3; at++) {
    const page = await store.feed.moved(position, 2)
    position = page.position
    const runs = page.runs.map(({ runId, firstSeq, lastSeq }) => {
      return `${runId === writer.runId ? 'one' : 'other'} ${firstSeq} to ${lastSeq}`
    })
    pages.push([...runs.toSorted(), page.isFull])
  }
  expect(pages).toEqual([['one 2 to 3', true], ['one 4 to 4', 'other 2 to 2', true], [false]])
})
