import { z } from 'zod'
import { json } from '../door/reply.ts'
import { publicRoute, type Route, route } from '../door/route.ts'

const Ok = z.object({ ok: z.boolean() })

export const serverRoutes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the server is up.',
    answers: { 200: Ok },
    handle: () => json(200, { ok: true }),
  }),
  publicRoute({
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the store can be written; 503 when not.',
    answers: { 200: Ok },
    handle: async ({ parts }) => {
      await parts.runtime.store.check()
      return json(200, { ok: true })
    },
  }),
  route({
    method: 'GET',
    path: '/metrics',
    who: 'hook',
    summary: 'Numbers for Prometheus.',
    answers: { 200: 'text' },
    handle: async ({ parts }) => ({
      status: 200,
      type: parts.metrics.registry.contentType,
      payload: await parts.metrics.text(),
    }),
  }),
]
