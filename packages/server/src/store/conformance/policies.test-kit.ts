import type { Entry } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import type { NewPolicy } from '../policy-store.ts'
import { append, hostileTexts, type OpenForTest, startedRun } from './story.test-kit.ts'

const hour = 3_600_000

/** Policies that stand on their own, and what was spent. */
export function policyTests(open: OpenForTest): void {
  describe('policies', () => {
    test('PO-1, PO-1e: a policy is saved, changed, listed and removed; numbers go on', async () => {
      const { store, reopen } = await open()
      const first = await store.policies.save(policy())
      expect(first).toEqual({ ...policy(), version: 1, createdAt: 100 })
      const second = await store.policies.save(policy({ text: '{"deny":[]}', savedAt: 200 }))
      expect(second).toMatchObject({ version: 2, createdAt: 100, savedAt: 200 })
      const other = await store.policies.save(policy({ name: 'all', project: '/shop' }))
      await store.close()
      const again = await reopen()
      expect(await again.policies.get('agents')).toEqual(second)
      expect(await again.policies.list()).toEqual([second, other])
      const by = { savedBy: 'Bea', savedAt: 300 }
      expect(await again.policies.remove('agents', by)).toBe(true)
      expect(await again.policies.remove('agents', by)).toBe(false)
      expect(await again.policies.get('agents')).toBeUndefined()
      expect(await again.policies.list()).toEqual([other])
      const third = await again.policies.save(policy({ savedAt: 400 }))
      expect(third).toMatchObject({ version: 4, createdAt: 400 })
      expect(await again.policies.versions('agents')).toEqual([
        { ...third, removed: false },
        { ...second, version: 3, ...by, removed: true },
        { ...second, removed: false },
        { ...first, removed: false },
      ])
      expect(await again.policies.versions('nobody')).toEqual([])
    })

    test('PO-1d: what was decided by policies that no longer hold is a conflict', async () => {
      const { store } = await open()
      const { writer } = await startedRun(store)
      const decide = async (policyEpoch: number) => {
        const batch = writer.batch([{ type: 'notice', text: 'decided', at: 1 }], { policyEpoch })
        const { kind } = await store.runs.append(writer.runId, batch)
        return kind
      }
      const first = await store.policies.epoch()
      await store.policies.save(policy())
      expect(await decide(first)).toBe('conflict')
      const second = await store.policies.epoch()
      expect(second).toBeGreaterThan(first)
      await store.policies.remove('agents', { savedBy: 'Ann', savedAt: 200 })
      expect(await decide(second)).toBe('conflict')
      expect(await decide(await store.policies.epoch())).toBe('committed')
    })

    test('PO-1: policies saved at once get numbers of their own', async () => {
      const { store } = await open()
      const texts = Array.from({ length: 8 }, (_, n) => `{"n":${n}}`)
      const saved = await Promise.all(texts.map((text) => store.policies.save(policy({ text }))))
      expect(new Set(saved.map((one) => one.version)).size).toBe(8)
    })
  })

  describe('spend', () => {
    test('PR-9: costs are summed by hour, whatever else an entry holds', async () => {
      const { store } = await open()
      const { writer: mine } = await startedRun(store, { owner: 'tok_1' })
      const { writer: others } = await startedRun(store, { owner: 'tok_2' })
      await append(store, mine, [
        finished(hour, 10),
        finished(2 * hour - 1, 20),
        finished(2 * hour, 40),
        finished(2 * hour, -5),
        { type: 'cost_reported', cost_micros: 100, at: 2 * hour },
        { type: 'notice', text: '{"type":"call_finished","cost_micros":7}', at: hour },
        decoy(hour),
      ])
      await append(store, others, [finished(hour, 1_000)])
      for (const text of hostileTexts) await append(store, others, [finished(hour, 1, text)])
      const extra = 1_000 + hostileTexts.length
      expect(await store.spend.byHour({ from: 0, to: 9 * hour })).toEqual([
        { at: hour, costMicros: 30 + extra },
        { at: 2 * hour, costMicros: 140 },
      ])
      expect(await store.spend.byHour({ from: 0, to: 2 * hour, seenBy: 'tok_1' })).toEqual([
        { at: hour, costMicros: 30 },
      ])
      expect(await store.spend.byHour({ from: 3 * hour, to: 9 * hour })).toEqual([])
    })
  })
}

function policy(fields: Partial<NewPolicy> = {}): NewPolicy {
  return {
    name: 'agents',
    project: null,
    text: '{"deny":[{"capability":"bash"}]}',
    savedBy: 'Ann',
    savedAt: 100,
    ...fields,
  }
}

function finished(at: number, costMicros: number, callId = 'c1'): Entry {
  return {
    type: 'call_finished',
    call_id: callId,
    tool: 'Bash',
    bytes: 1,
    exit: 'success',
    cost_micros: costMicros,
    at,
  }
}

/** An agent may put anything into the data of a transition, also what looks like a cost. */
function decoy(at: number): Entry {
  const data = { type: 'call_finished', cost_micros: 1_000_000 }
  return {
    type: 'notice',
    text: 'no',
    at,
    cause: {
      type: 'transition_requested',
      at,
      by: { kind: 'agent', id: 'a' },
      event: 'GO',
      data,
      approvalId: 'apr_1',
    },
  }
}
