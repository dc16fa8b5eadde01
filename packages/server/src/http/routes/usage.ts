import { setImmediate } from 'node:timers/promises'
import { toMicros, unfinishedStatuses } from '@statewright/core/internal'
import { type BodyOf, endpoints } from '@statewright/core/wire'
import { ruleUsage } from '../../reports/rule-usage.ts'
import { findRun } from '../../runtime/runs/find-run.ts'
import { reportCost, reportUsage } from '../../runtime/runs/report-cost.ts'
import { seenBy } from '../../runtime/runs/scope.ts'
import type { HourOfSpend } from '../../store/store.ts'
import { problemReply, refuse } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'
import { runRef } from './wire.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type UsageCall = CallOf<typeof endpoints.getUsage>
type ReaderCall = Pick<UsageCall, 'server' | 'caller'>
type CostBody = BodyOf<typeof endpoints.reportCost>

export const usageRoutes: readonly Route[] = [
  serve(endpoints.getUsage, async (call, reply) => {
    const { server, caller } = call
    const roles = caller.kind === 'person' ? await knownRoles(call) : [caller.role]
    const [runs, rules, spend] = await Promise.all([
      runCounts(call),
      ruleUsage(server.runtime, roles),
      spendOf(call),
    ])
    return reply(200, { ...runs, rules, spend })
  }),
  serve(endpoints.reportCost, async ({ server, caller, body, params }, reply) => {
    const ref = runRef(params.id)
    // Whether there is such a run comes first: a stranger must not learn it from how it is refused.
    const found = await findRun(server.runtime, caller, ref)
    if (!found.ok) return problemReply(found.error)
    const { cost_usd, model, usage } = body
    const isUsage = model !== undefined && usage !== undefined
    if ((cost_usd === undefined) !== isUsage) {
      const next = 'give "cost_usd", or "model" with "usage".'
      return refuse('usage', 'The request names no cost.', { next })
    }
    const done = isUsage
      ? await reportUsage(server.runtime, caller, ref, { model, usage: tokenUsage(usage) })
      : await reportCost(server.runtime, caller, ref, toMicros(cost_usd ?? 0))
    if (!done.ok) return problemReply(done.error)
    const { live, costMicros } = done.value
    return reply(200, {
      run_id: live.row.runId,
      cost_usd: costMicros / 1_000_000,
      total_usd: live.snapshot.costMicros / 1_000_000,
    })
  }),
]

/** Every role that some token has, and the one of tokens without (PO-8). */
async function knownRoles({ server }: ReaderCall): Promise<string[]> {
  const rows = await server.runtime.store.tokens.list()
  const live = rows.filter((row) => row.revokedAt === null && row.kind !== 'person')
  return [...new Set(['agent', ...live.map((row) => row.role)])].sort()
}

const pageSize = 2000

async function runCounts({ server, caller }: ReaderCall) {
  const { runs: store } = server.runtime.store
  const runs: Record<string, number> = Object.fromEntries(
    unfinishedStatuses.map((status) => [status, 0]),
  )
  const sums = { calls: 0, denials: 0, passed: 0, transitions: 0, costMicros: 0, waiting: 0 }
  for (const status of unfinishedStatuses) {
    for (let after: number | null = 0; after !== null; ) {
      const page = { status, after, limit: pageSize, ...seenBy(caller) }
      const { totals, next } = await store.unfinishedTotals(page)
      runs[status] = (runs[status] ?? 0) + totals.runs
      // The names of the sums.
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += totals[name]
      after = next
      await setImmediate()
    }
  }
  const { costMicros, waiting, ...counts } = sums
  return {
    runs,
    ...counts,
    cost_usd: costMicros / 1_000_000,
    approvals_waiting: waiting,
  }
}

/** Every hour and day that was asked for, also those without any cost: charts want no gaps. */
async function spendOf({ server, caller, query }: UsageCall) {
  const { store, clock } = server.runtime
  const now = clock.now()
  const [thisHour, today] = [now - (now % hourMs), now - (now % dayMs)]
  const hours = Array.from({ length: query.hours }, (_, n) => thisHour - n * hourMs).toReversed()
  const days = Array.from({ length: query.days }, (_, n) => today - n * dayMs).toReversed()
  const from = Math.min(hours[0] ?? now, days[0] ?? now)
  const own = seenBy(caller)
  const spent = await store.spend.byHour({ from, to: thisHour + hourMs, ...own })
  return { hours: slots(hours, hourMs, spent), days: slots(days, dayMs, spent) }
}

function slots(starts: readonly number[], length: number, spent: readonly HourOfSpend[]) {
  const sums = new Map(starts.map((at) => [at, 0]))
  for (const { at, costMicros } of spent) {
    const start = at - (at % length)
    const before = sums.get(start)
    if (before !== undefined) sums.set(start, before + costMicros)
  }
  return [...sums].map(([at, micros]) => ({ at, cost_usd: micros / 1_000_000 }))
}

function tokenUsage(usage: NonNullable<CostBody['usage']>) {
  const { input, output, cache_read, cache_write, cache_write_long } = usage
  return {
    input,
    output,
    cacheRead: cache_read ?? 0,
    cacheWrite: cache_write ?? 0,
    cacheWriteLong: cache_write_long ?? 0,
  }
}
