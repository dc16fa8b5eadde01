import { type Constant, endpoints, type Trust } from '@statewright/core/wire'
import type { ClientRegistry } from '../../hooks/client-registry.ts'
import { newSessions } from '../../reports/new-sessions.ts'
import { protectionOf } from '../../reports/protection-level.ts'
import type { Gap } from '../../reports/stop-marks.ts'
import { countStopped } from '../../reports/stopped-calls.ts'
import { liftUnjudged, readUnjudged } from '../../runtime/blocks/unjudged.ts'
import { seenBy, seesRunOf } from '../../runtime/runs/scope.ts'
import { refuse } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'
import { seenClients } from './clients.ts'

export interface TrustOptions {
  readonly registry: ClientRegistry
  /** The newest time in which the server was dead. */
  readonly gap: () => Gap | undefined
}

type TrustCall = CallOf<typeof endpoints.getTrust>

/** How far what we say of runs can be relied on. */
export function trustRoutes({ registry, gap }: TrustOptions): readonly Route[] {
  return [
    serve(endpoints.getTrust, async (call, reply) => {
      const { settings, store } = call.server.runtime
      const { mode, strict, modeSince } = settings
      return reply(200, {
        ...protectionOf(settings, registry.list()),
        mode,
        strict,
        new_sessions: await newSessions(call.server.runtime),
        would_have_denied: mode === 'observe' ? await countStopped(store, modeSince) : null,
        unjudged: await unjudgedFor(call),
        unguarded: await unguardedRuns(call),
        enforcement_gap_until: gap()?.until ?? null,
        clients: seenClients(registry),
      })
    }),
    serve(
      endpoints.trustRun,
      async ({ server, params }, reply) => {
        const run_id = params.id
        if (await liftUnjudged(server.runtime, run_id)) return reply(200, { run_id, lifted: true })
        const message = `No run with this id is held by an unchecked call: ${run_id.slice(0, 100)}.`
        return refuse('unknown_run', message, { next: 'see /api/trust.' })
      },
      { refusesGuarded: true },
    ),
  ]
}

const maxPaused = 500

async function unguardedRuns({ server, caller }: TrustCall) {
  const filter = { status: ['paused'], limit: maxPaused, ...seenBy(caller) } as const
  const { runs } = await server.runtime.store.runs.list(filter)
  return runs
    .filter(({ unguarded }) => unguarded)
    .map(({ runId: run_id, workflow }) => ({ run_id, workflow }))
}

/** All know how many calls nobody judged; of whose runs they were, only who sees those. */
async function unjudgedFor({ server, caller }: TrustCall): Promise<Constant<Trust['unjudged']>> {
  const { count, last, runs } = await readUnjudged(server.runtime.store)
  const seen = new Map<string, { readonly count: number; readonly blocks: boolean }>()
  for (const [id, { count: calls, blocks }] of Object.entries(runs)) {
    const isSeen = caller.kind === 'person' || (await seesRunOf(server.runtime, caller, id))
    if (isSeen) seen.set(id, { count: calls, blocks })
  }
  const isVisible = last !== null && (caller.kind === 'person' || seen.has(last.run_id))
  return { count, last: isVisible ? last : null, runs: Object.fromEntries(seen) }
}
