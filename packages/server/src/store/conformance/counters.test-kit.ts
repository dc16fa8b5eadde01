import {
  type BudgetCounter,
  budgetUsage,
  type CounterTake,
  callKeyOf,
  defaultReservationMs,
  emptyBudget,
  reserveBudget,
  settleBudget,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import type { CounterTakes } from '../counter-store.ts'
import { emptyWindow, type RateWindow, rateUsage, takeRate } from '../counters/rates.test-kit.ts'
import type { Batch, Store } from '../store.ts'
import { notice, type OpenForTest, startedRun, type Writer } from './story.test-kit.ts'

const noon = Date.UTC(2026, 0, 15, 12)

export function counterTests(open: OpenForTest): void {
  describe('rates', () => {
    test('PO-5: 64 takers at once never pass a limit of 100', async () => {
      const { store, setClock } = await open()
      setClock(noon)
      const takers = await Promise.all(Array.from({ length: 64 }, () => startedRun(store)))
      const results = await Promise.all(
        takers.map(async ({ writer }) => {
          let taken = 0
          for (let n = 0; n < 3; n++) {
            if (await take(store, writer, `call ${n}`, [rateOf(100)], noon)) taken++
          }
          return taken
        }),
      )
      expect(results.reduce((sum, one) => sum + one, 0)).toBe(100)
      expect(await usage(store, [rateOf(100)], noon)).toEqual({
        used: 100,
        max: 100,
        resetsAt: noon + 1_000,
        free: false,
      })
    })

    test('PO-5: a call leaves the window after exactly its length', async () => {
      const { store, setClock } = await open()
      const { writer } = await startedRun(store)
      const taken: boolean[] = []
      for (const at of [0, 400, 999, 1_000, 1_001, 1_400]) {
        setClock(noon + at)
        taken.push(await take(store, writer, `call ${at}`, [rateOf(2)], noon + at))
      }
      expect(taken).toEqual([true, true, false, true, false, true])
    })

    test('PO-5: a clock that goes back gives nobody a fresh window', async () => {
      const { store, setClock } = await open()
      const { writer } = await startedRun(store)
      const taken: boolean[] = []
      for (const at of [5_000, 100, 0, 4_000, 5_999, 6_000]) {
        setClock(noon + at)
        taken.push(await take(store, writer, `call ${at}`, [rateOf(2)], noon + at))
      }
      expect(taken).toEqual([true, true, false, false, false, true])
    })

    test('PO-5: roles count apart, runs of one role together, also after a restart', async () => {
      const { store, setClock, reopen } = await open()
      setClock(noon)
      const { writer: one } = await startedRun(store)
      const { writer: two } = await startedRun(store)
      expect(await take(store, one, 'c', [rateOf(1)], noon)).toBe(true)
      expect(await take(store, two, 'c', [rateOf(1)], noon)).toBe(false)
      expect(await take(store, two, 'c', [rateOf(1)], noon, { role: 'other' })).toBe(true)
      await store.close()
      expect(await take(await reopen(), one, 'd', [rateOf(1)], noon)).toBe(false)
    })

    test('PO-5: one counter without room leaves the others untouched', async () => {
      const { store, setClock } = await open()
      setClock(noon)
      const { writer } = await startedRun(store)
      const wide = { ...rateOf(9), key: 'wide' }
      expect(await take(store, writer, 'a', [wide, rateOf(1)], noon)).toBe(true)
      expect(await take(store, writer, 'b', [wide, rateOf(1)], noon)).toBe(false)
      expect(await usage(store, [wide], noon)).toMatchObject({ used: 1 })
      expect((await store.runs.load(writer.runId))?.row.seq).toBe(2)
    })

    test('PO-5: the stored rate says what the plain list of core says', async () => {
      const { store, setClock } = await open()
      const { writer } = await startedRun(store)
      let window: RateWindow = emptyWindow
      for (const [step, at] of wanderingTimes(60).entries()) {
        // A policy that is edited changes the limit, but keeps the counter.
        const limit = rateOf(step % 20 < 14 ? 5 : 3)
        setClock(at)
        expect(await usage(store, [limit], at)).toEqual(rateUsage(window, limit, at))
        const next = takeRate(window, limit, at)
        expect(await take(store, writer, `call ${step}`, [limit], at)).toBe(next !== undefined)
        window = next ?? window
      }
    })
  })

  describe('budgets', () => {
    test('PO-6: callers at once never reserve more than there is', async () => {
      const { store, setClock } = await open()
      setClock(noon)
      const limit = budgetOf(100, 30)
      const { writer: first } = await startedRun(store)
      await take(store, first, 'tells that it costs nothing', [limit], noon)
      expect(await usage(store, [limit], noon)).toMatchObject({ used: 30, waits: true })
      await settle(store, first, 'tells that it costs nothing', 0, noon)
      const takers = await Promise.all(Array.from({ length: 16 }, () => startedRun(store)))
      const taken = await Promise.all(
        takers.map(({ writer }) => take(store, writer, 'same call id', [limit], noon)),
      )
      expect(taken.filter(Boolean)).toHaveLength(3)
      expect(await usage(store, [limit], noon)).toMatchObject({ used: 90, free: false })
    })

    test('PO-6: a result settles its own reservation, not that of another run', async () => {
      const { store, setClock } = await open()
      setClock(noon)
      const limit = budgetOf(100, 30)
      const { writer: one } = await startedRun(store)
      const { writer: two } = await startedRun(store)
      await take(store, one, 'c0', [limit], noon)
      await settle(store, one, 'c0', 0, noon)
      await take(store, one, 'c1', [limit], noon)
      await take(store, two, 'c1', [limit], noon)
      await settle(store, one, 'c1', 5, noon)
      await settle(store, one, 'c1', 5, noon)
      expect(await usage(store, [limit], noon)).toMatchObject({ used: 35 })
      // The larger of the largest known cost and the rule's own figure is held back.
      await settle(store, two, 'c1', 60, noon)
      expect(await usage(store, [limit], noon)).toMatchObject({ used: 65, free: false })
    })

    test('PR-9c: a session budget is shared by those who name the same session', async () => {
      const { store, setClock } = await open()
      setClock(noon)
      const limit = { ...budgetOf(100, 0), period: 'session' } as const
      const { writer } = await startedRun(store)
      const charges = { role: 'agent', session: 's', at: noon, takes: [limit], costMicros: 90 }
      await commit(store, writer, writer.batch([notice('a model')], { charges }))
      await take(store, writer, 'c1', [limit], noon, { role: 'another' })
      await settle(store, writer, 'c1', 10, noon)
      expect(await usage(store, [limit], noon)).toEqual({
        used: 100,
        max: 100,
        resetsAt: null,
        free: false,
      })
      expect(await take(store, writer, 'c2', [limit], noon)).toBe(false)
      expect(await take(store, writer, 'c2', [limit], noon, { session: 't' })).toBe(true)
    })

    test('PO-6: a result that never comes frees its money after ten minutes', async () => {
      const { store, setClock } = await open()
      setClock(noon)
      const limit = budgetOf(100, 100)
      const { writer } = await startedRun(store)
      expect(await take(store, writer, 'c1', [limit], noon)).toBe(true)
      const early = noon + defaultReservationMs - 1
      setClock(early)
      expect(await take(store, writer, 'c2', [limit], early)).toBe(false)
      setClock(early + 1)
      expect(await take(store, writer, 'c3', [limit], early + 1)).toBe(true)
    })

    test('PO-6: a new day starts with a full budget', async () => {
      const { store, setClock } = await open()
      setClock(noon)
      const limit = budgetOf(100, 60)
      const { writer } = await startedRun(store)
      await take(store, writer, 'c1', [limit], noon)
      await settle(store, writer, 'c1', 100, noon)
      const midnight = Date.UTC(2026, 0, 16)
      setClock(midnight - 1)
      expect(await usage(store, [limit], midnight - 1)).toMatchObject({
        used: 100,
        resetsAt: midnight,
      })
      setClock(midnight)
      expect(await usage(store, [limit], midnight)).toMatchObject({ used: 0, free: true })
    })

    test('PO-6: the stored budget says what the functions of core say', async () => {
      const { store, setClock } = await open()
      const { writer } = await startedRun(store)
      const limit = budgetOf(500, 60)
      let model: BudgetCounter = emptyBudget
      for (const [step, offset] of wanderingTimes(60).entries()) {
        const at = noon + (offset - noon) * 1_000
        setClock(at)
        const scope = { capability: 'bash', now: at }
        expect(await usage(store, [limit], at)).toEqual(budgetUsage(model, limit, scope))
        const callId = callKeyOf(writer.runId, `call ${step}`)
        const expiresAt = Math.max(at, model.at) + defaultReservationMs
        const next = reserveBudget(model, limit, { callId, expiresAt, ...scope })
        expect(await take(store, writer, `call ${step}`, [limit], at)).toBe(next !== undefined)
        model = next ?? model
        if (step % 3 !== 0) continue
        const result = { callId: callKeyOf(writer.runId, `call ${step - 1}`), now: at }
        await settle(store, writer, `call ${step - 1}`, step * 2, at)
        if (!model.reservations.some((one) => one.callId === result.callId)) continue
        model = settleBudget(model, limit, { ...result, costMicros: step * 2 })
      }
    })
  })
}

function rateOf(maxCalls: number) {
  return { kind: 'rate', key: 'mail', maxCalls, windowMs: 1_000 } as const
}

function budgetOf(maxMicros: number, reserveMicros: number) {
  return { kind: 'budget', key: 'money', period: 'daily', maxMicros, reserveMicros } as const
}

/** Times that mostly go on, sometimes leap, and sometimes go back; the same in every run. */
function wanderingTimes(count: number): number[] {
  let at = noon
  let seed = 12_345
  return Array.from({ length: count }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    at += seed % 10 === 0 ? -700 : seed % 400
    return at
  })
}

async function take(
  store: Store,
  writer: Writer,
  callId: string,
  takes: readonly CounterTake[],
  at: number,
  more: Partial<CounterTakes> = {},
): Promise<boolean> {
  const scope = { role: 'agent', session: 's', capability: 'bash' }
  const of = { callId, ...scope, at, takes, ...more }
  return commit(store, writer, writer.batch([notice(callId)], { takes: of }))
}

async function settle(
  store: Store,
  writer: Writer,
  callId: string,
  costMicros: number,
  at: number,
): Promise<void> {
  const settles = { callId, at, capability: 'bash', costMicros }
  await commit(store, writer, writer.batch([notice(`${callId} done`)], { settles }))
}

async function commit(store: Store, writer: Writer, batch: Batch): Promise<boolean> {
  const { kind } = await store.runs.append(writer.runId, batch)
  if (kind === 'committed') writer.keep(batch)
  return kind === 'committed'
}

async function usage(store: Store, [take]: readonly [CounterTake], at: number) {
  const facts = await store.counters.usage([take], {
    ...{ role: 'agent', session: 's', capability: 'bash' },
    at,
  })
  return facts[take.key]
}
