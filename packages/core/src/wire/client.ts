import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What its hooks have shown of a coding client. */
export const SeenClient = z.object({
  client: z.string(),
  hooks: z.number().describe('How many came since the server started.'),
  sessions: z.number(),
  last_seen_at: z.number(),
  apart: z
    .boolean()
    .nullable()
    .describe('Whether it runs apart from the server; null when that is not known.'),
})
export type SeenClient = z.infer<typeof SeenClient>

const Text = z.string().max(2000)

const examination = {
  client: Text,
  scope: Text,
  project: Text.optional(),
  url: Text,
}

const finding = {
  check: Text,
  status: z.enum(['ok', 'warning', 'broken']),
  message: Text,
  next: Text.optional(),
}

/** One thing that "statewright doctor" found at an installation. */
export const ClientFinding = z.object(finding)
export type ClientFinding = z.infer<typeof ClientFinding>

/** What it says of one installation. */
export const ExaminedClient = z.object({
  ...examination,
  findings: z.array(ClientFinding),
  examined_at: z.number(),
})
export type ExaminedClient = z.infer<typeof ExaminedClient>

/** It speaks of settings on a person's machine, which the server cannot see by itself. */
export const ClientReport = z.object({
  at: z.number(),
  ok: z.boolean(),
  clients: z.array(ExaminedClient),
})
export type ClientReport = z.infer<typeof ClientReport>

export const clientEndpoints = {
  listClients: endpoint({
    method: 'GET',
    path: '/api/clients',
    who: 'person',
    summary: 'Clients that were seen, and what "statewright doctor" last found.',
    answers: { 200: z.object({ clients: z.array(SeenClient), report: ClientReport.nullable() }) },
  }),
  reportClients: endpoint({
    method: 'PUT',
    path: '/api/clients/report',
    who: 'person',
    summary: 'Store what "statewright doctor" found, for the dashboard.',
    body: z.strictObject({
      ok: z.boolean(),
      only: Text.optional().describe('The one client that was examined; all when left out.'),
      clients: z
        .array(
          z.strictObject({
            ...examination,
            findings: z.array(z.strictObject(finding)).max(100),
          }),
        )
        .max(100),
    }),
    answers: { 200: z.object({ kept: z.literal(true) }) },
  }),
}
