import { z } from 'zod'
import type { ClientBook } from '../../gateway/client-book.ts'
import { liftUnjudged, readUnjudged } from '../../runtime/unjudged.ts'
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
  would_have_denied: z.number().nullable().describe('In observe mode: denials of the newest runs.'),
  unjudged: z.object({
    count: z.number(),
    last: z.object({ at: z.string(), run_id: z.string(), text: z.string() }).nullable(),
    runs: z.record(z.string(), z.object({ count: z.number(), blocks: z.boolean() })),
  }),
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
      refusesGuarded: true,
      answers: { 200: z.object({ run_id: z.string(), lifted: z.literal(true) }) },
      handle: lift,
    }),
    route({
      method: 'GET',
      path: '/api/clients',
      who: 'person',
      summary: 'Clients that were seen, and what "statewright doctor" last found.',
      answers: {
        200: z.object({ clients: z.array(Client), report: z.looseObject({}).nullable() }),
      },
      handle: () => {
        const { report } = own.book
        const told = report === null ? null : { at: iso(report.at), ...report.value }
        return json(200, { clients: clientsOf(own.book), report: told })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/clients/report',
      who: 'person',
      summary: 'Keeps what "statewright doctor" found, for people to see, until the server stops.',
      body: Report,
      answers: { 200: z.object({ kept: z.literal(true) }) },
      handle: ({ parts, body }) => {
        own.book.report = { at: parts.runtime.clock.now(), value: body }
        return json(200, { kept: true })
      },
    }),
  ]
}

const Text = z.string().max(2000)
const Report = z.object({
  ok: z.boolean(),
  clients: z
    .array(
      z.object({
        client: Text,
        scope: Text,
        project: Text.optional(),
        url: Text,
        findings: z
          .array(
            z.object({
              check: Text,
              status: z.enum(['ok', 'warning', 'broken']),
              message: Text,
              next: Text.optional(),
            }),
          )
          .max(100),
      }),
    )
    .max(100),
})

async function trust({ book, gap }: TrustParts, { parts }: Call<undefined, undefined>) {
  const { settings, store } = parts.runtime
  const { count, last, runs } = await readUnjudged(store)
  const until = gap()?.until
  return json(200, {
    ...protectionOf(settings, book.list()),
    mode: settings.mode,
    strict: settings.strict,
    would_have_denied: settings.mode === 'observe' ? await deniedCalls(parts) : null,
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
    enforcement_gap_until: until === undefined ? null : iso(until),
    clients: clientsOf(book),
  })
}

const mostRuns = 500

async function deniedCalls({ runtime }: Call<unknown, unknown>['parts']): Promise<number> {
  const { runs } = await runtime.store.runs.list({ limit: mostRuns })
  return runs.reduce((sum, { denials }) => sum + denials, 0)
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

function iso(at: number): string {
  return new Date(at).toISOString()
}
