import { setImmediate } from 'node:timers/promises'
import { defined, replay } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { explainCall } from '../../guard/explain.ts'
import { adapterNamed } from '../../hooks/client-adapter.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { findRun } from '../../runtime/runs/find-run.ts'
import { allEntries, verifyRun, viewRun } from '../../runtime/runs/read-run.ts'
import type { Store, StoredEntry } from '../../store/store.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type Call, type Route, serve } from '../pipeline/route.ts'
import { archivedReply } from './archived-reply.ts'
import { runRef, wireEntry, wireJudged, wireRun } from './wire.ts'

export const runHistoryRoutes: readonly Route[] = [
  serve(endpoints.listEntries, (call, reply) =>
    withRun(call, async ({ row }) => {
      const { last, cause } = call.query
      const after = last === undefined ? call.query.after : Math.max(0, row.seq - last)
      const limit = last ?? call.query.limit
      const { archive, runs } = call.server.runtime.store
      const archived = await archive.get(row.runId)
      if (archived !== undefined && after < archived.seq) return archivedReply(archived)
      // One more than asked for tells whether there is a next page.
      const read = await readEntries(runs, row.runId, { after, limit: limit + 1 })
      const page = read.slice(0, limit)
      const next = read.length > limit ? (page[page.length - 1]?.seq ?? after) : null
      return reply(200, { entries: page.map((one) => wireEntry(one, cause === '1')), next })
    }),
  ),

  serve(endpoints.exportRun, (call) =>
    withRun(call, async ({ row }) => {
      const { store } = call.server.runtime
      const archived = await store.archive.get(row.runId)
      if (archived !== undefined) return archivedReply(archived)
      const program = await store.definitions.program(row.hash)
      const head = JSON.stringify({
        format: 'statewright-run/1',
        run: wireRun(row),
        program: program === undefined ? null : JSON.parse(program),
      })
      const payload = exported(store, row.runId, head)
      return { status: 200, type: 'application/json', payload }
    }),
  ),

  serve(
    endpoints.explainCall,
    (call, reply) =>
      withRun(call, async ({ row }) => {
        const { input = {}, ...rest } = call.body
        const { guard, runtime } = call.server
        const adapter = adapterNamed(row.client, runtime.settings)
        const request = { run: row.runId, input, ...defined(rest) }
        const explained = await explainCall(guard, call.caller, request, adapter)
        if (!explained.ok) return problemReply(explained.error)
        const { proves, ...judged } = explained.value
        return reply(200, { ...wireJudged(judged), ...(proves.length === 0 ? {} : { proves }) })
      }),
    { onlyReads: true },
  ),

  serve(endpoints.replayRun, (call, reply) =>
    withRun(call, async (live) => {
      const archived = await call.server.runtime.store.archive.get(live.row.runId)
      if (archived !== undefined) return archivedReply(archived)
      const all = await allEntries(call.server.runtime, live.row.runId)
      const upTo = wholeSteps(all, call.query.seq ?? all.length)
      const played = replay(
        live.program,
        upTo.map(({ entry }) => entry),
      )
      if (!played.ok) {
        const at = `entry ${played.index + 1}`
        const message = `The history cannot be replayed from ${at}: ${played.problem}.`
        return refuse('history_broken', message, {
          next: 'check it with "statewright run verify".',
        })
      }
      const view = viewRun({ ...live, snapshot: played.run }, call.caller)
      return reply(200, { ...view, seq: upTo.length })
    }),
  ),

  serve(endpoints.verifyRun, (call, reply) =>
    withRun(call, async ({ row }) =>
      reply(200, { run_id: row.runId, ...(await verifyRun(call.server.runtime, row.runId)) }),
    ),
  ),
]

interface OfRun extends Pick<Call<unknown, unknown>, 'server' | 'caller'> {
  readonly params: { readonly id: string }
}

async function withRun(
  { server, caller, params }: OfRun,
  work: (live: LiveRun) => Promise<Reply>,
): Promise<Reply> {
  const found = await findRun(server.runtime, caller, runRef(params.id))
  return found.ok ? work(found.value) : problemReply(found.error)
}

/** Read in slices: between them, calls of agents are judged. */
async function readEntries(
  runs: Store['runs'],
  runId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly StoredEntry[]> {
  const read: StoredEntry[] = []
  while (read.length < limit) {
    if (read.length > 0) await setImmediate()
    const size = Math.min(sliceSize, limit - read.length)
    const slice = await runs.entries(runId, { after: read.at(-1)?.seq ?? after, limit: size })
    read.push(...slice)
    if (slice.length < size) break
  }
  return read
}

/** A step may have several entries; a run never stood between them. */
function wholeSteps(all: readonly StoredEntry[], seq: number): readonly StoredEntry[] {
  let end = Math.min(seq, all.length)
  while (end < all.length && all[end]?.entry.cause === undefined) end += 1
  return all.slice(0, end)
}

const sliceSize = 500
const exportPage = 500

/** Streamed page by page: a history may be larger than memory. */
function exported(store: Store, runId: string, head: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let after = 0
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`${head.slice(0, -1)},"entries":[`))
    },
    async pull(controller) {
      const page = await store.runs.entries(runId, { after, limit: exportPage })
      const lines = page.map(({ seq, prev, hash, entry }) =>
        JSON.stringify({ seq, prev, hash, entry }),
      )
      const comma = after === 0 || lines.length === 0 ? '' : ','
      after = page[page.length - 1]?.seq ?? after
      controller.enqueue(encoder.encode(comma + lines.join(',\n')))
      if (page.length === exportPage) return
      controller.enqueue(encoder.encode(']}'))
      controller.close()
    },
  })
}
