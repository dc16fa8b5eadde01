import { z } from 'zod'
import type { OwnPlaces } from '../config/resolve.ts'
import { json } from '../http/door/reply.ts'
import { type Route, route } from '../http/door/route.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { version } from './version.ts'

const Facts = z.object({
  version: z.string(),
  node: z.string(),
  started_at: z.number(),
  uptime_ms: z.number(),
  url: z.string(),
  project: z.string().describe('The folder whose configuration holds.'),
  data: z.string().describe('Where what we keep on this machine lies.'),
  store: z.enum(['sqlite', 'postgres']),
  sandbox: z.object({
    kind: z.enum(['bubblewrap', 'none']),
    why: z.string().nullable().describe('Why there is none.'),
  }),
})

/** What a person asks first when something is odd: which server is this, and where are its data? */
export function serverFactsRoute(facts: {
  readonly places: Pick<OwnPlaces, 'project' | 'data'>
  readonly store: 'sqlite' | 'postgres'
  readonly sandbox: SandboxFound
  readonly startedAt: number
}): Route {
  const { places, store, sandbox, startedAt } = facts
  return route({
    method: 'GET',
    path: '/api/server',
    who: 'person',
    summary: 'Version, uptime, where the data is stored, and whether commands can be contained.',
    answers: { 200: Facts },
    handle: ({ parts }) =>
      json(200, {
        version,
        node: process.version,
        started_at: startedAt,
        uptime_ms: parts.runtime.clock.now() - startedAt,
        url: parts.url,
        project: places.project,
        data: places.data,
        store,
        sandbox: { kind: sandbox.kind, why: sandbox.kind === 'none' ? sandbox.why : null },
      }),
  })
}
