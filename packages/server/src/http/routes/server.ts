import { endpoints, type ServerFacts } from '@statewright/core/wire'
import type { SandboxFound } from '../../sandbox/find-sandbox.ts'
import { type Route, serve } from '../pipeline/route.ts'

export const healthRoutes: readonly Route[] = [
  serve(endpoints.isUp, (_, reply) => reply(200, { ok: true })),
  serve(endpoints.isReady, async ({ parts }, reply) => {
    await parts.runtime.store.check()
    return reply(200, { ok: true })
  }),
  serve(endpoints.getMetrics, async ({ parts }) => ({
    status: 200,
    type: parts.metrics.registry.contentType,
    payload: await parts.metrics.text(),
  })),
]

export function serverFactsRoute({
  sandbox,
  ...facts
}: Pick<ServerFacts, 'version' | 'project' | 'data' | 'store' | 'started_at'> & {
  readonly sandbox: SandboxFound
}): Route {
  return serve(endpoints.getServer, ({ parts }, reply) =>
    reply(200, {
      ...facts,
      node: process.version,
      uptime_ms: parts.runtime.clock.now() - facts.started_at,
      url: parts.url,
      sandbox: { kind: sandbox.kind, why: sandbox.kind === 'none' ? sandbox.why : null },
    }),
  )
}
