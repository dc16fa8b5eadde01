import { replay } from '@statewright/core'
import { z } from 'zod'
import { adapterNamed } from '../../gateway/client-adapter.ts'
import { explainCall } from '../../guard/explain.ts'
import { findRun } from '../../runtime/find-run.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { allEntries, verifyRun, viewRun } from '../../runtime/runtime.ts'
import type { StoredEntry } from '../../store/store.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { countIn, DecisionShape, EntryShape, Id } from './shapes.ts'
import { runRef, wireEntry, wireJudged, wireRun } from './wire.ts'

const Page = z.object({
  after: countIn(Number.MAX_SAFE_INTEGER, 0).describe('Entries after this `seq`.'),
  limit: countIn(1000, 100),
  cause: z.enum(['0', '1']).default('0').describe('1 shows the event behind each step.'),
})
type Page = z.infer<typeof Page>

const Explain = z.object({
  tool: Id,
  input: z.unknown().optional(),
  branch: Id.optional(),
  server: Id.optional(),
})
type Explain = z.infer<typeof Explain>

export const runHistoryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/runs/:id/entries',
    who: 'agent',
    summary: 'The history of a run, in order and without gaps.',
    query: Page,
    answers: { 200: z.object({ entries: z.array(EntryShape), next: z.number().nullable() }) },
    handle: entries,
  }),
  route({
    method: 'GET',
    path: '/api/runs/:id/export',
    who: 'agent',
    summary: 'A run with its definition and its whole history.',
    answers: { 200: z.looseObject({ run: z.unknown(), entries: z.array(z.unknown()) }) },
    handle: exportRun,
  }),
  route({
    method: 'POST',
    path: '/api/runs/:id/explain',
    who: 'agent',
    summary: 'What a call would get now, and why; changes nothing.',
    body: Explain,
    answers: { 200: DecisionShape },
    handle: explain,
  }),
  route({
    method: 'GET',
    path: '/api/runs/:id/replay',
    who: 'agent',
    summary: 'Where the run stood after an entry, by playing its history again.',
    query: z.object({ seq: z.coerce.number().int().min(1).optional() }),
    answers: { 200: z.looseObject({ run_id: z.string(), seq: z.number(), state: z.string() }) },
    handle: replayRun,
  }),
  route({
    method: 'GET',
    path: '/api/runs/:id/verify',
    who: 'agent',
    summary: 'Whether the history of a run is whole and unchanged.',
    answers: {
      200: z.object({
        run_id: z.string(),
        ok: z.boolean(),
        entries: z.number(),
        seq: z.number().optional(),
        problem: z.string().optional(),
        older: z
          .object({
            engine: z.number(),
            entries: z.number().describe('The first so many entries.'),
            differs: z
              .array(z.number())
              .describe('Entries that the engine of today would decide otherwise.'),
          })
          .optional()
          .describe('What an older engine wrote: only its chain was checked.'),
      }),
    },
    handle: (call) =>
      withRun(call, async ({ row }) =>
        json(200, { run_id: row.runId, ...(await verifyRun(call.parts.runtime, row.runId)) }),
      ),
  }),
]

async function withRun(
  { parts, caller, params }: Call<unknown, unknown>,
  work: (live: LiveRun) => Promise<Reply>,
): Promise<Reply> {
  const found = await findRun(parts.runtime, caller, runRef(params.id ?? ''))
  return found.ok ? work(found.value) : problemReply(found.error)
}

function entries(call: Call<undefined, Page>): Promise<Reply> {
  const { after, limit, cause } = call.query
  return withRun(call, async ({ row }) => {
    const { runs } = call.parts.runtime.store
    // One more than asked for tells whether there is a next page.
    const read = await runs.entries(row.runId, { after, limit: limit + 1 })
    const page = read.slice(0, limit)
    const next = read.length > limit ? (page[page.length - 1]?.seq ?? after) : null
    return json(200, { entries: page.map((one) => wireEntry(one, cause === '1')), next })
  })
}

function explain(call: Call<Explain, undefined>): Promise<Reply> {
  const { tool, input, branch, server } = call.body
  return withRun(call, async ({ row }) => {
    const request = {
      run: row.runId,
      tool,
      input: input ?? {},
      ...(branch === undefined ? {} : { branch }),
      ...(server === undefined ? {} : { server }),
    }
    const { guard, runtime } = call.parts
    const adapter = adapterNamed(row.client, runtime.settings)
    const explained = await explainCall(guard, call.caller, request, adapter)
    return explained.ok ? json(200, wireJudged(explained.value)) : problemReply(explained.error)
  })
}

function replayRun(call: Call<undefined, { seq?: number | undefined }>): Promise<Reply> {
  return withRun(call, async (live) => {
    const all = await allEntries(call.parts.runtime, live.row.runId)
    const upTo = wholeSteps(all, call.query.seq ?? all.length)
    const played = replay(
      live.program,
      upTo.map(({ entry }) => entry),
    )
    const seq = upTo.length
    if (!played.ok) {
      const message = `The history does not play from entry ${played.index + 1}: ${played.problem}.`
      return refuse('history_broken', message, { next: 'look at it with run verify.' })
    }
    const view = viewRun({ ...live, snapshot: played.run }, call.caller)
    return json(200, { ...view, seq, run_id: live.row.runId })
  })
}

/** A step may have several entries; a run never stood between them. */
function wholeSteps(all: readonly StoredEntry[], seq: number): readonly StoredEntry[] {
  let end = Math.min(seq, all.length)
  while (end < all.length && all[end]?.entry.cause === undefined) end += 1
  return all.slice(0, end)
}

const exportPage = 500

/** Streamed page by page: a history may be larger than memory. */
function exportRun(call: Call<undefined, undefined>): Promise<Reply> {
  return withRun(call, async ({ row }) => {
    const { store } = call.parts.runtime
    const program = await store.definitions.program(row.hash)
    const head = JSON.stringify({
      format: 'statewright-run/1',
      run: wireRun(row),
      program: program === undefined ? null : JSON.parse(program),
    })
    const encoder = new TextEncoder()
    let after = 0
    const payload = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode(`${head.slice(0, -1)},"entries":[`))
      },
      async pull(controller) {
        const page = await store.runs.entries(row.runId, { after, limit: exportPage })
        const lines = page.map(({ seq, hash, entry }) => JSON.stringify({ seq, hash, entry }))
        const comma = after === 0 || lines.length === 0 ? '' : ','
        after = page[page.length - 1]?.seq ?? after
        controller.enqueue(encoder.encode(comma + lines.join(',\n')))
        if (page.length === exportPage) return
        controller.enqueue(encoder.encode(']}'))
        controller.close()
      },
    })
    return { status: 200, type: 'application/json', payload }
  })
}
