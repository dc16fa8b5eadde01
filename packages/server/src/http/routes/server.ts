import { endpoints, type ServerFacts } from '@statewright/core/wire'
import { serverMac } from '../../clients/server-key.ts'
import type { SandboxFound } from '../../sandbox/find-sandbox.ts'
import { refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'

export const healthRoutes: readonly Route[] = [
  serve(endpoints.isUp, (_, reply) => reply(200, { ok: true })),
  serve(endpoints.isReady, async ({ server }, reply) => {
    if (server.draining.aborted) {
      return refuse('server_stopping', 'This server is about to stop.', {
        next: 'ask another server node.',
      })
    }
    await server.runtime.store.check()
    return reply(200, { ok: true })
  }),
  serve(endpoints.proveServer, async ({ server: { auth, url }, incoming, body }, reply) => {
    const { key: keyId, nonce } = body
    const key = (await auth.tokens.findKey(keyId)) ?? auth.links.findKey(keyId)
    if (key === undefined) return refuse('unauthenticated', 'No token here has this hash.')
    const port = incoming?.socket.localPort ?? Number(new URL(url).port)
    return reply(200, { mac: serverMac(key, { nonce, port }) })
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
