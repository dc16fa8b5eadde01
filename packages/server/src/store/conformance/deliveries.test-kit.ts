import { describe, expect, test } from 'vitest'
import type { NewApproval, Store } from '../store.ts'
import { append, notice, type OpenForTest, startedRun } from './story.test-kit.ts'

/** Who was told of which approval. */
export function deliveryTests(open: OpenForTest): void {
  describe('deliveries', () => {
    test('PR-12: what waits is due on each channel until it went through there', async () => {
      const { store, reopen } = await open()
      await waiting(store, 'a1', 'a2')
      expect(await due(store, 'webhook', 0)).toEqual(['a1:0', 'a2:0'])
      const { deliveries } = store
      const first = { approvalId: 'a1', channel: 'webhook', tries: 0, nextAt: 100 }
      expect(await deliveries.take(first)).toBe(true)
      expect(await due(store, 'webhook', 99)).toEqual(['a2:0'])
      expect(await due(store, 'webhook', 100)).toEqual(['a1:1', 'a2:0'])
      expect(await deliveries.take({ ...first, tries: 1, nextAt: 300 })).toBe(true)
      expect(await due(store, 'webhook', 299)).toEqual(['a2:0'])
      await deliveries.finish('a1', 'webhook', 250)
      await store.close()
      const again = await reopen()
      expect(await due(again, 'webhook', 9_999)).toEqual(['a2:0'])
      expect(await due(again, 'command', 0)).toEqual(['a1:0', 'a2:0'])
      expect((await again.deliveries.due('command', 0, 1)).length).toBe(1)
      expect(await again.deliveries.take({ ...first, tries: 2, nextAt: 500 })).toBe(false)
    })

    test('PR-12: what was answered is not told any more', async () => {
      const { store } = await open()
      const writer = await waiting(store, 'a1')
      const verdict = 'approved'
      const closed = [{ approvalId: 'a1', verdict, by: 'ada', at: 1, note: null } as const]
      await append(store, writer, [notice('answered')], { closed })
      expect(await due(store, 'webhook', 9_999)).toEqual([])
    })

    test('PR-12: of 16 who take one to tell, one gets it', async () => {
      const { store } = await open()
      await waiting(store, 'a1')
      for (const tries of [0, 1]) {
        const taken = await Promise.all(
          Array.from({ length: 16 }, () =>
            store.deliveries.take({ approvalId: 'a1', channel: 'webhook', tries, nextAt: 9 }),
          ),
        )
        expect(taken.filter(Boolean)).toHaveLength(1)
      }
    })
  })
}

async function waiting(store: Store, ...ids: string[]) {
  const { run, writer } = await startedRun(store)
  const opened = ids.map(
    (approvalId): NewApproval => ({
      approvalId,
      runId: run.runId,
      kind: 'ask',
      message: 'May it?',
      openedAt: 1_000,
      expiresAt: null,
      details: { tool: 'Bash' },
    }),
  )
  await append(store, writer, [notice('asked')], { opened })
  return writer
}

async function due(store: Store, channel: string, at: number): Promise<string[]> {
  const rows = await store.deliveries.due(channel, at, 10)
  return rows.map(({ approval, tries }) => `${approval.approvalId}:${tries}`)
}
