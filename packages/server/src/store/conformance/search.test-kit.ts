import { describe, expect, test } from 'vitest'
import { append, decided, type OpenForTest, plainRow, startedRun } from './story.test-kit.ts'

export function searchTests(open: OpenForTest): void {
  describe('a search over runs', () => {
    test('WF-33a: a run is found by what people know of it', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store, { workflow: 'bugfix', session: null })
      const command = JSON.stringify({ command: 'npm run "Sales_Tax" 100%' })
      const input = { hash: 'h', callId: 'c1', what: 'input', text: command } as const
      const row = { ...plainRow, state: 'testing' }
      await append(store, writer, [decided('c1')], { blobs: [input], row })
      const { run: other } = await startedRun(store, { workflow: 'deploy', session: null })
      const found = async (search: string) =>
        (await store.runs.list({ search, limit: 9 })).runs.map(({ runId }) => runId)
      for (const words of [
        run.runId.slice(4, 20),
        'BUGFIX testing',
        'sales_tax',
        '"sales_tax" 100%',
        'bash npm',
        'call_decided',
      ]) {
        expect([words, await found(words)]).toEqual([words, [run.runId]])
      }
      expect(await found('sales%tax')).toEqual([])
      expect(await found('salesxtax')).toEqual([])
      expect(await found('bugfix elsewhere')).toEqual([])
      expect(await found('shop')).toEqual([other.runId, run.runId])
      expect(await found("' OR 1=1 --")).toEqual([])
      const since = { search: 'shop', since: Number.MAX_SAFE_INTEGER, limit: 9 }
      expect((await store.runs.list(since)).runs).toEqual([])
    })
  })
}
