import type { Entry, Json } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { append, hostileTexts, type OpenForTest, startedRun } from './story.test-kit.ts'

const hour = 3_600_000

/** What charts are drawn from. */
export function activityTests(open: OpenForTest): void {
  describe('activity', () => {
    test('things are counted by time and kind, whatever an agent wrote', async () => {
      const { store } = await open()
      const { writer, run } = await startedRun(store)
      await append(store, writer, [
        decided(hour, 'deny'),
        decided(hour + 5, 'deny', { decision: 'allow', at: 1 }),
        decided(2 * hour, 'allow', { decision: 'deny', at: 1 }),
        decided(2 * hour, 'ask'),
        moved(2 * hour, { at: 5, type: 'call_decided', decision: 'deny' }),
        {
          type: 'refused',
          what: 'transition_requested',
          code: 'guard_failed',
          message: { phrase: 'no_return' },
          at: hour,
        },
        { type: 'notice', text: '{"type":"call_decided","decision":"deny"}', at: hour },
      ])
      for (const text of hostileTexts)
        await append(store, writer, [decided(3 * hour, 'deny', text)])
      const all = { from: 0, to: 9 * hour }
      expect(await store.activity.counts({ ...all, slotMs: hour })).toEqual([
        { at: hour, kind: 'denied', count: 2 },
        { at: hour, kind: 'refused', count: 1 },
        { at: 2 * hour, kind: 'allowed', count: 1 },
        { at: 2 * hour, kind: 'asked', count: 1 },
        { at: 2 * hour, kind: 'transitioned', count: 1 },
        { at: 3 * hour, kind: 'denied', count: hostileTexts.length },
      ])
      expect(await store.activity.counts({ from: 4 * hour, to: 9 * hour, slotMs: hour })).toEqual(
        [],
      )
      const denials = await store.activity.denials({ from: 0, to: 2 * hour, limit: 2 })
      expect(denials.map(({ entry }) => [entry.type, entry.at])).toEqual([
        ['refused', hour],
        ['call_decided', hour + 5],
      ])
      expect(denials[0]).toMatchObject({ runId: run.runId, workflow: run.workflow })
    })

    test('approvals are found by when they were opened', async () => {
      const { store } = await open()
      const { writer, run } = await startedRun(store)
      const approval = (approvalId: string, openedAt: number) => ({
        approvalId,
        runId: run.runId,
        kind: 'ask' as const,
        message: 'May it?',
        openedAt,
        expiresAt: null,
        details: {},
      })
      const opened = [approval('apr_1', hour), approval('apr_2', 2 * hour)]
      await append(store, writer, [moved(hour, {})], { opened })
      const found = await store.activity.approvals({ from: hour, to: 2 * hour, limit: 10 })
      expect(found.map(({ approvalId, status }) => [approvalId, status])).toEqual([
        ['apr_1', 'waiting'],
      ])
      const newest = await store.activity.approvals({ from: 0, to: 9 * hour, limit: 1 })
      expect(newest.map(({ approvalId }) => approvalId)).toEqual(['apr_2'])
    })
  })
}

/** The history keeps a call as it came, with whatever the agent put into it. */
function decided(at: number, decision: 'allow' | 'ask' | 'deny', wrote: Json = {}): Entry {
  const tool = typeof wrote === 'string' ? wrote : '"decision":"allow"'
  return {
    type: 'call_decided',
    call_id: 'c1',
    tool,
    state: 'one',
    decision,
    reasons: [],
    at,
    cause: {
      type: 'transition_requested',
      at,
      by: { kind: 'agent', id: 'a' },
      event: 'GO',
      data: { wrote },
      approvalId: 'apr_1',
    },
  }
}

function moved(at: number, data: Record<string, number | string>): Entry {
  return { type: 'transitioned', from: 'one', to: 'two', event: 'GO', data, by: 'agent', at }
}
