import { describe, expect, test } from 'vitest'
import { approval } from './approvals.test-kit.ts'
import { append, notice, type OpenForTest, plainRow, startedRun } from './story.test-kit.ts'

export function totalTests(open: OpenForTest): void {
  describe('totals', () => {
    test('PO-8: sums of runs that go on come in pages, to agents of their own', async () => {
      const { store } = await open()
      const running = await startedRun(store, { owner: 'agent_1' })
      const waiting = await startedRun(store, { owner: 'agent_2' })
      const given = await startedRun(store, { owner: 'person_1' })
      const over = await startedRun(store, { owner: 'agent_1' })
      await store.runs.bindAgent(given.run.runId, 'agent_1')
      const row = { ...plainRow, calls: 5, denials: 2, transitions: 1, costMicros: 9 }
      await append(store, running.writer, [notice('one')], { row })
      const question = approval(waiting.run.runId, 'q1')
      const asks = { row: { ...row, status: 'waiting' }, opened: [question] } as const
      await append(store, waiting.writer, [notice('two')], asks)
      await append(store, over.writer, [notice('three')], { row: { ...row, status: 'stopped' } })
      const none = [0, 0, 0, 0, 0]
      const totals = async (seenBy?: string) => {
        const sums: Record<string, number[]> = {}
        const own = seenBy === undefined ? {} : { seenBy }
        for (const status of ['running', 'waiting'] as const) {
          for (let after: number | null = 0; after !== null; ) {
            const page = await store.runs.unfinishedTotals({ status, after, limit: 1, ...own })
            const { runs, calls, denials, costMicros, waiting } = page.totals
            const before = sums[status] ?? [0, 0, 0, 0, 0]
            const added = [runs, calls, denials, costMicros, waiting]
            sums[status] = before.map((sum, at) => sum + (added[at] ?? 0))
            after = page.next
          }
        }
        return sums
      }
      expect(await totals()).toEqual({ running: [2, 5, 2, 9, 0], waiting: [1, 5, 2, 9, 1] })
      expect(await totals('agent_1')).toEqual({ running: [2, 5, 2, 9, 0], waiting: none })
      expect(await totals('agent_2')).toEqual({ running: none, waiting: [1, 5, 2, 9, 1] })
      expect(await totals('stranger')).toEqual({ running: none, waiting: none })
    })
  })
}
