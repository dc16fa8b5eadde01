import { endpoints, type ServerFacts } from '@statewright/core/wire'
import type { SandboxFound } from '../../sandbox/find-sandbox.ts'
import { type Route, serve } from '../pipeline/route.ts'

export const healthRoutes: readonly Route[] = [
  serve(endpoints.isUp, (_, reply) => reply(200, { ok: true })),
  serve(endpoints.isReady, async ({ server }, reply) => {
    await server.runtime.store.check()
    return reply(200, { ok: true })
  }),
  serve(endpoints.getMetrics, async ({ server }) => ({
    status: 200,
    type: server.metrics.registry.contentType,
    payload: await server.metrics.text(),
  })),
]

export function serverFactsRoute({
  sandbox,
  ...facts
}: Pick<ServerFacts, 'version' | 'project' | 'data' | 'store' | 'started_at'> & {
  readonly sandbox: SandboxFound
}): Route {
  return serve(endpoints.getServer, ({ server }, reply) =>
    reply(200, {
      ...facts,
      node: process.version,
      uptime_ms: server.runtime.clock.now() - facts.started_at,
      url: server.url,
      sandbox: { kind: sandbox.kind, why: sandbox.kind === 'none' ? sandbox.why : null },
    }),
  )
}
