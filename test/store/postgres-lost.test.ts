import { describe, expect, test } from 'vitest'
import {
  append,
  notice,
  startedRun,
} from '../../packages/server/src/store/conformance/story.test-kit.ts'
import { openPostgresStore } from '../../packages/server/src/store/postgres/open-postgres-store.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { cuttingRelay } from '../support/cutting-relay.ts'
import { postgresStores, until } from '../support/postgres-stores.ts'

const { postgres, openNode, keep } = postgresStores()

describe('Postgres that goes away', () => {
  test('WF-34: a stopped server is a fault, and once it is back the store goes on', async () => {
    const databaseUrl = await postgres().database()
    const store = await openNode(databaseUrl)
    const { writer } = await startedRun(store)
    let wakes = 0
    await store.feed.listen(() => wakes++)
    await postgres().restart(async () => {
      const attempt = store.runs.append(writer.runId, writer.batch([notice('lost')]))
      await expect(attempt).rejects.toMatchObject({ name: 'StoreFault', reason: 'unavailable' })
      await expect(store.check()).rejects.toMatchObject({ reason: 'unavailable' })
      await expect(openPostgresStore({ databaseUrl })).rejects.toMatchObject({
        reason: 'unavailable',
      })
    })
    await append(store, writer, [notice('again')])
    // The connection that listens comes back as well, and tells so.
    await until(() => wakes > 0)
    const before = wakes
    await append(store, writer, [notice('heard')])
    await until(() => wakes > before)
  }, 60_000)

  test('WF-34: under load no acknowledged entry is lost or doubled by a restart', async () => {
    const databaseUrl = await postgres().database()
    const store = await openNode(databaseUrl)
    const writers = await Promise.all(Array.from({ length: 12 }, () => startedRun(store)))
    const policyEpoch = await store.policies.epoch()
    let done = false
    const load = writers.map(async ({ writer }, at) => {
      while (!done) {
        // Some alone, and most together with others.
        const batch = writer.batch([notice('step')], at < 3 ? {} : { policyEpoch })
        const outcome = await store.runs.append(writer.runId, batch).catch(() => undefined)
        if (outcome?.kind === 'committed') writer.keep(batch)
        // Refused: it may be there all the same, as one that was never answered.
        else await takeOver(store, writer)
      }
    })
    const hasGoneOn = (from: readonly number[]) =>
      writers.every(({ writer }, at) => writer.entries.length > (from[at] ?? 0))
    const lengths = () => writers.map(({ writer }) => writer.entries.length)
    const atFirst = lengths()
    await until(() => hasGoneOn(atFirst))
    await postgres().restart()
    const afterwards = lengths()
    await until(() => hasGoneOn(afterwards))
    done = true
    await Promise.all(load)
    for (const { writer } of writers) {
      const stored = await store.runs.entries(writer.runId, { after: 0, limit: 100_000 })
      expect(stored.map((one) => one.hash)).toEqual(writer.entries.map((one) => one.hash))
      expect(stored.length).toBeGreaterThan(2)
    }
  }, 60_000)

  test('WF-34: an append whose connection breaks is tried again, and answered once', async () => {
    const databaseUrl = await postgres().database()
    const store = await openNode(databaseUrl)
    const { run, writer } = await startedRun(store)
    const others = await Promise.all(Array.from({ length: 10 }, () => startedRun(store)))
    const relay = await cuttingRelay(databaseUrl)
    keep(relay)
    const shaky = await openNode(relay.databaseUrl)
    // The statement reaches the server and is committed, but its answer is cut off on the way.
    relay.cutNextAnswer()
    const feedAt = await append(shaky, writer, [notice('once')])
    expect(relay.cuts()).toBe(1)
    const stored = await store.runs.entries(run.runId, { after: 0, limit: 9 })
    expect(stored.map((one) => one.hash)).toEqual(writer.entries.map((one) => one.hash))
    expect(stored.at(-1)?.feedAt).toBe(feedAt)
    // With a rate, the answer to the commit itself may get lost: it must not count twice.
    const limit = { kind: 'rate', key: 'k', maxCalls: 5, windowMs: 60_000 } as const
    const scope = { role: 'agent', session: '', capability: 'k', at: 0 }
    const takes = { callId: 'c', ...scope, takes: [limit] }
    relay.cutNextAnswer(2)
    await append(shaky, writer, [notice('counted')], { takes })
    const usage = await store.counters.usage([limit], scope)
    expect(relay.cuts()).toBe(2)
    expect(usage).toMatchObject({ k: { used: 1 } })
    // The first go out alone, and the others together; of those the answer is cut off.
    const policyEpoch = await store.policies.epoch()
    relay.cutNextAnswer(1, 'statewright_decide_')
    await Promise.all(
      others.map((one) => append(shaky, one.writer, [notice('x')], { policyEpoch })),
    )
    expect(relay.cuts()).toBe(3)
    for (const { writer: other } of others) {
      const kept = await store.runs.entries(other.runId, { after: 0, limit: 9 })
      expect(kept.map((one) => one.hash)).toEqual(other.entries.map((one) => one.hash))
    }
  })
})

/** Goes on from what is stored, as a server does after a refused append. */
async function takeOver(
  store: Store,
  writer: { readonly runId: string; readonly entries: unknown[] },
): Promise<void> {
  const after = writer.entries.length
  const more = await store.runs.entries(writer.runId, { after, limit: 100 }).catch(() => [])
  writer.entries.push(...more)
}
