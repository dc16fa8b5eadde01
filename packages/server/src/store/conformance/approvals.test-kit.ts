import type { Verdict } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import type { NewApproval, Store } from '../store.ts'
import { append, notice, type OpenForTest, startedRun, type Writer } from './story.test-kit.ts'

export function approvalTests(open: OpenForTest): void {
  describe('approvals', () => {
    test('PO-7: an approval is opened and closed with its run, once', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      const opened = approval(run.runId, 'a1')
      await append(store, writer, [notice('asked')], { opened: [opened] })
      const waiting = { ...opened, status: 'waiting', resolvedAt: null, resolvedBy: null } as const
      expect(await store.approvals.get('a1')).toEqual({ ...waiting, note: null })
      await close(store, writer, 'approved')
      await close(store, writer, 'rejected')
      expect(await store.approvals.get('a1')).toEqual({
        ...opened,
        status: 'approved',
        resolvedAt: 1_500,
        resolvedBy: 'ada',
        note: 'fine',
      })
      expect(await store.approvals.get('a2')).toBeUndefined()
    })

    test('PO-7: waiting ones whose time is over are found', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      const endless = { ...approval(run.runId, 'endless'), expiresAt: null }
      const opened = [approval(run.runId, 'a1'), endless, approval(run.runId, 'a2')]
      await append(store, writer, [notice('asked')], { opened })
      expect(await store.approvals.expired(1_999)).toEqual([])
      expect(ids(await store.approvals.expired(2_000))).toEqual(['a1', 'a2'])
      await close(store, writer, 'expired')
      expect(ids(await store.approvals.expired(9_999))).toEqual(['a2'])
      expect(ids(await store.approvals.list({ status: 'waiting', limit: 9 }))).toEqual([
        'a2',
        'endless',
      ])
      expect(ids(await store.approvals.list({ runId: run.runId, limit: 1 }))).toEqual(['a2'])
      expect(await store.approvals.list({ runId: 'run_none', limit: 9 })).toEqual([])
    })

    test('PO-7: answered ones are listed by their answer, whatever was asked since', async () => {
      const { store } = await open()
      const { run, writer } = await startedRun(store)
      const opened = ['a1', 'a2', 'a3', 'a4'].map((id) => approval(run.runId, id))
      await append(store, writer, [notice('asked')], { opened })
      for (const [at, id] of ['a2', 'a4', 'a1'].entries()) {
        const verdict = 'approved' as const
        const closed = [{ approvalId: id, verdict, by: 'ada', at: 1_500 + at, note: '' }]
        await append(store, writer, [notice(id)], { closed })
      }
      const listed = async (filter: { status?: 'rejected'; limit: number }) => {
        const rows = await store.approvals.list({ order: 'resolved', ...filter })
        return rows.map(({ approvalId }) => approvalId)
      }
      expect(await listed({ limit: 2 })).toEqual(['a1', 'a4'])
      expect(await listed({ limit: 9 })).toEqual(['a1', 'a4', 'a2'])
      expect(await listed({ status: 'rejected', limit: 9 })).toEqual([])
    })
  })

  async function close(store: Store, writer: Writer, verdict: Verdict): Promise<void> {
    const closed = [{ approvalId: 'a1', verdict, by: 'ada', at: 1_500, note: 'fine' }]
    await append(store, writer, [notice(verdict)], { closed })
  }

  function ids(rows: readonly { readonly approvalId: string }[]): string[] {
    return rows.map((one) => one.approvalId).sort()
  }
}

export function approval(runId: string, approvalId: string): NewApproval {
  return {
    approvalId,
    runId,
    kind: 'ask',
    message: 'May it?',
    openedAt: 1_000,
    expiresAt: 2_000,
    details: { tool: 'Bash' },
  }
}
