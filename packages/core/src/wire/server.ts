import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const Ok = z.object({ ok: z.literal(true) })

/** What a person asks first when something is odd: which server is this, and where are its data? */
export const ServerFacts = z.object({
  version: z.string(),
  node: z.string(),
  started_at: z.number(),
  uptime_ms: z.number(),
  url: z.string(),
  project: z.string().describe('The folder whose configuration is in effect.'),
  data: z.string().describe('Where this machine stores the data.'),
  store: z.enum(['sqlite', 'postgres']),
  sandbox: z.object({
    kind: z.enum(['bubblewrap', 'none']),
    why: z.string().nullable().describe('Why there is none.'),
  }),
})
export type ServerFacts = z.infer<typeof ServerFacts>

export const serverEndpoints = {
  isUp: endpoint({
    method: 'GET',
    path: '/healthz',
    who: 'public',
    summary: 'Whether the server is up.',
    answers: { 200: Ok },
  }),
  isReady: endpoint({
    method: 'GET',
    path: '/readyz',
    who: 'public',
    summary: 'Whether it is ready: the store is writable and it is not stopping; otherwise 503.',
    answers: { 200: Ok },
  }),
  proveServer: endpoint({
    method: 'POST',
    path: '/api/server/proof',
    who: 'public',
    summary: 'Proves to the holder of a token that this is its server, before the token is sent.',
    body: z.strictObject({
      key: z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .describe('The beginning of the hash of the token.'),
      nonce: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .describe('Random, for this question alone.'),
    }),
    answers: { 200: z.object({ mac: z.string().describe('Over the nonce and the port.') }) },
  }),
  getMetrics: endpoint({
    method: 'GET',
    path: '/metrics',
    who: 'hook',
    summary: 'Numbers for Prometheus.',
    answers: { 200: 'text' },
  }),
  getServer: endpoint({
    method: 'GET',
    path: '/api/server',
    who: 'person',
    summary: 'Version, uptime, where the data is stored, and whether commands can be contained.',
    answers: { 200: ServerFacts },
  }),
}
