import { z } from 'zod'
import type { ClientBook } from '../../gateway/client-book.ts'
import { newSessions } from '../../runtime/new-sessions.ts'
import { seenBy, seesRunOf } from '../../runtime/scope.ts'
import { countStopped } from '../../runtime/stopped-calls.ts'
import { liftUnjudged, readUnjudged } from '../../runtime/unjudged.ts'
import type { Store } from '../../store/store.ts'
import { DoctorReport, KeptReport, keepReport, readReport } from '../doctor-report.ts'
import { json, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { protectionOf } from '../protection-level.ts'
import type { Gap } from '../stop-marks.ts'

export interface TrustParts {
  readonly book: ClientBook
  /** The newest time in which the server was dead. */
  readonly gap: () => Gap | undefined
}

const Client = z.object({
  client: z.string(),
  hooks: z.number(),
  sessions: z.number(),
  last_seen_at: z.string(),
  apart: z.boolean().nullable(),
})

const Trust = z.object({
  level: z.enum(['L0', 'L1', 'L2']),
  sentence: z.string(),
  mode: z.enum(['enforce', 'observe']),
  strict: z.boolean(),
  new_sessions: z
    .object({
      guard: z.enum(['workflow', 'closed', 'policies', 'open', 'broken']),
      sentence: z.string(),
      next: z.string().nullable(),
    })
    .describe('What holds a client session that begins now.'),
  would_have_denied: z
    .number()
    .nullable()
    .describe('In observe mode: calls that the rules would have stopped since it holds.'),
  unjudged: z.object({
    count: z.number(),
    last: z.object({ at: z.string(), run_id: z.string(), text: z.string() }).nullable(),
    runs: z.record(z.string(), z.object({ count: z.number(), blocks: z.boolean() })),
  }),
  unguarded: z
    .array(z.object({ run_id: z.string(), workflow: z.string() }))
    .describe('Runs that their own agents paused: nothing of them is enforced.'),
  enforcement_gap_until: z.string().nullable(),
  clients: z.array(Client),
})

/** How far what we say of runs can be relied on. */
export function trustRoutes(own: TrustParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/trust',
      who: 'agent',
      summary: 'The level of protection, calls that nobody judged, gaps, and clients seen.',
      answers: { 200: Trust },
      handle: (call) => trust(own, call),
    }),
    route({
      method: 'POST',
      path: '/api/runs/:id/trust',
      who: 'person',
      summary: 'Lets a run go on that an unjudged call has stopped in strict mode.',
      proof: 'release',
      refusesGuarded: true,
      answers: { 200: z.object({ run_id: z.string(), lifted: z.literal(true) }) },
      handle: lift,
    }),
    route({
      method: 'GET',
      path: '/api/clients',
      who: 'person',
      summary: 'Clients that were seen, and what "statewright doctor" last found.',
      answers: { 200: z.object({ clients: z.array(Client), report: KeptReport.nullable() }) },
      handle: async ({ parts }) => {
        const { store } = parts.runtime
        const clients = await withEarlier(clientsOf(own.book), store)
        return json(200, { clients, report: await readReport(store) })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/clients/report',
      who: 'person',
      summary: 'Keeps what "statewright doctor" found, for people to see.',
      body: DoctorReport,
      answers: { 200: z.object({ kept: z.literal(true) }) },
      handle: async ({ parts, body }) => {
        const { store, clock } = parts.runtime
        await keepReport(store, body, clock.now())
        return json(200, { kept: true })
      },
    }),
  ]
}

const mostPaused = 500

async function unguardedRuns({ parts, caller }: Call<undefined, undefined>) {
  const filter = { status: ['paused'], limit: mostPaused, ...seenBy(caller) } as const
  const { runs } = await parts.runtime.store.runs.list(filter)
  return runs
    .filter(({ unguarded }) => unguarded)
    .map(({ runId: run_id, workflow }) => ({ run_id, workflow }))
}

async function trust({ book, gap }: TrustParts, call: Call<undefined, undefined>) {
  const { parts } = call
  const { settings, store } = parts.runtime
  const { count, last, runs } = await unjudgedFor(call)
  const until = gap()?.until
  return json(200, {
    ...protectionOf(settings, book.list()),
    mode: settings.mode,
    strict: settings.strict,
    new_sessions: await newSessions(parts.runtime),
    would_have_denied:
      settings.mode === 'observe' ? await countStopped(store, settings.modeSince) : null,
    unjudged: {
      count,
      last: last === null ? null : { ...last, at: iso(last.at) },
      runs: Object.fromEntries(
        Object.entries(runs).map(([id, { count: calls, blocks }]) => [
          id,
          { count: calls, blocks },
        ]),
      ),
    },
    unguarded: await unguardedRuns(call),
    enforcement_gap_until: until === undefined ? null : iso(until),
    clients: clientsOf(book),
  })
}

/** All know how many calls nobody judged; of whose runs they were, only who sees those. */
async function unjudgedFor({ parts, caller }: Call<undefined, undefined>) {
  const { count, last, runs } = await readUnjudged(parts.runtime.store)
  if (caller.kind === 'person') return { count, last, runs }
  const seen = new Set<string>()
  for (const id of Object.keys(runs)) {
    if (await seesRunOf(parts.runtime, caller, id)) seen.add(id)
  }
  return {
    count,
    last: last !== null && seen.has(last.run_id) ? last : null,
    runs: Object.fromEntries(Object.entries(runs).filter(([id]) => seen.has(id))),
  }
}

async function lift({ parts, params }: Call<undefined, undefined>): Promise<Reply> {
  const run_id = params.id ?? ''
  if (await liftUnjudged(parts.runtime, run_id)) return json(200, { run_id, lifted: true })
  const message = `No unjudged call holds a run ${run_id.slice(0, 100)}.`
  return refuse('unknown_run', message, { next: 'see /api/trust.' })
}

function clientsOf(book: ClientBook) {
  return book.list().map(({ client, hooks, sessions, lastAt, isApart }) => ({
    client,
    hooks,
    sessions,
    last_seen_at: iso(lastAt),
    apart: isApart ?? null,
  }))
}

const newestRuns = 500

/** Hooks are counted from the start of the server; runs remember who was there before. */
async function withEarlier(seen: z.infer<typeof Client>[], store: Pick<Store, 'runs'>) {
  const known = new Set(seen.map(({ client }) => client))
  const earlier = new Map<string, number>()
  const { runs } = await store.runs.list({ limit: newestRuns })
  for (const { client, updatedAt } of runs) {
    if (client === null || known.has(client)) continue
    earlier.set(client, Math.max(updatedAt, earlier.get(client) ?? 0))
  }
  const before = [...earlier].map(([client, at]) => ({
    client,
    hooks: 0,
    sessions: 0,
    last_seen_at: iso(at),
    apart: null,
  }))
  return [...seen, ...before]
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
