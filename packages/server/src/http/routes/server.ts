import type { RunStatus } from '@statewright/core'
import { z } from 'zod'
import { json, type Reply } from '../door/reply.ts'
import { type Call, publicRoute, type Route, route } from '../door/route.ts'

const Ok = z.object({ ok: z.boolean() })

export const serverRoutes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the server is up.',
    answers: { 200: Ok },
    handle: () => json(200, { ok: true }),
  }),
  publicRoute({
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the store can be written; 503 when not.',
    answers: { 200: Ok },
    handle: async ({ parts }) => {
      await parts.runtime.store.check()
      return json(200, { ok: true })
    },
  }),
  route({
    method: 'GET',
    path: '/metrics',
    who: 'hook',
    summary: 'Numbers for Prometheus.',
    answers: { 200: 'text' },
    handle: async ({ parts }) => ({
      status: 200,
      type: parts.metrics.registry.contentType,
      payload: await parts.metrics.text(),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/usage',
    who: 'agent',
    summary: 'Runs that are not over, their calls, denials and cost, and what waits for a person.',
    answers: {
      200: z.object({
        runs: z.record(z.string(), z.number()),
        calls: z.number(),
        denials: z.number(),
        transitions: z.number(),
        cost_usd: z.number(),
        approvals_waiting: z.number(),
      }),
    },
    handle: usage,
  }),
]

const unfinished: readonly RunStatus[] = ['running', 'waiting', 'paused', 'blocked']
const pageSize = 500
const mostPages = 40

async function usage({ parts, caller }: Call<undefined, undefined>): Promise<Reply> {
  const { store } = parts.runtime
  const runs: Record<string, number> = Object.fromEntries(unfinished.map((status) => [status, 0]))
  const sums = { calls: 0, denials: 0, transitions: 0, costMicros: 0 }
  const own = caller.kind === 'person' ? {} : { owner: caller.tokenId }
  const ids = new Set<string>()
  let cursor: string | null | undefined
  for (let page = 0; page < mostPages && cursor !== null; page++) {
    const filter = { status: unfinished, limit: pageSize, ...own }
    const read = await store.runs.list(cursor === undefined ? filter : { ...filter, cursor })
    for (const row of read.runs) {
      ids.add(row.runId)
      runs[row.status] = (runs[row.status] ?? 0) + 1
      sums.calls += row.calls
      sums.denials += row.denials
      sums.transitions += row.transitions
      sums.costMicros += row.costMicros
    }
    cursor = read.next
  }
  const waiting = await store.approvals.list({ status: 'waiting', limit: 1000 })
  const { costMicros, ...counts } = sums
  return json(200, {
    runs,
    ...counts,
    cost_usd: costMicros / 1_000_000,
    approvals_waiting: waiting.filter(({ runId }) => ids.has(runId)).length,
  })
}
