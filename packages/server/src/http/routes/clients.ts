import {
  type BodyOf,
  type ClientReport,
  type Constant,
  endpoints,
  type SeenClient,
} from '@statewright/core/wire'
import type { ClientRegistry } from '../../hooks/client-registry.ts'
import type { Store } from '../../store/store.ts'
import { type Route, serve } from '../pipeline/route.ts'

/** Coding clients, as their hooks show them and as `doctor` found them. */
export function clientRoutes(registry: ClientRegistry): readonly Route[] {
  return [
    serve(endpoints.listClients, async ({ server }, reply) => {
      const { store } = server.runtime
      const clients = await withEarlier(seenClients(registry), store)
      return reply(200, { clients, report: await readReport(store) })
    }),
    serve(endpoints.reportClients, async ({ server, body }, reply) => {
      const { store, clock } = server.runtime
      await keepReport(store, body, clock.now())
      return reply(200, { kept: true })
    }),
  ]
}

export function seenClients(registry: ClientRegistry): readonly Constant<SeenClient>[] {
  return registry.list().map(({ client, hooks, sessions, lastAt, isApart }) => ({
    client,
    hooks,
    sessions,
    last_seen_at: lastAt,
    apart: isApart ?? null,
  }))
}

const newestRuns = 500

/** Hooks are counted from the start of the server; runs remember who was there before. */
async function withEarlier(seen: readonly Constant<SeenClient>[], store: Pick<Store, 'runs'>) {
  const known = new Set(seen.map(({ client }) => client))
  const earlier = new Map<string, number>()
  const { runs } = await store.runs.list({ limit: newestRuns })
  for (const { client, updatedAt } of runs) {
    if (client === null || known.has(client)) continue
    earlier.set(client, Math.max(updatedAt, earlier.get(client) ?? 0))
  }
  const unseen = { hooks: 0, sessions: 0, apart: null }
  const before = [...earlier].map(([client, at]) => ({ client, ...unseen, last_seen_at: at }))
  return [...seen, ...before]
}

type Report = BodyOf<typeof endpoints.reportClients>

type Settling = Pick<Store, 'settings'>

const key = 'clients.report'
const maxStored = 100

/** It speaks of settings on a person's machine, which the server cannot see by itself. */
async function readReport(store: Settling): Promise<ClientReport | null> {
  const text = await store.settings.get(key)
  return text === undefined ? null : JSON.parse(text) // Only ever written below.
}

/** A look at one client leaves what was found of the others. */
async function keepReport(store: Settling, report: Report, now: number): Promise<void> {
  const { only } = report
  const before = only === undefined ? [] : ((await readReport(store))?.clients ?? [])
  const others = before.filter(({ client }) => client !== only)
  const fresh = report.clients.map((one) => ({ ...one, examined_at: now }))
  const clients = [...fresh, ...others].slice(0, maxStored)
  const ok = clients.every(({ findings }) => findings.every(({ status }) => status !== 'broken'))
  await store.settings.set(key, JSON.stringify({ at: now, ok, clients } satisfies ClientReport))
}
