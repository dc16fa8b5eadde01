import { z } from 'zod'
import { countIn, Id } from './basics.ts'
import { endpoint } from './endpoint.ts'

const Archived = z.object({
  run_id: z.string(),
  seq: z.number().describe('Entries up to this one are in the archive.'),
  chain: z.string().describe('The hash of that entry.'),
  archived_at: z.number(),
  node: z.string().describe('The server on whose disk the file is.'),
  file: z.string(),
})

const Due = z.object({
  run_id: z.string(),
  workflow: z.string(),
  status: z.string(),
  entries: z.number(),
  ended_at: z.number(),
})

export const Archive = z.object({
  keep: z.string().nullable().describe('As configured, such as 90d; null keeps everything.'),
  folder: z.string().describe('Where this server writes its archive.'),
  archived: z.number().describe('Runs whose history is in an archive.'),
  runs: z.array(Archived),
  next: z.string().nullable(),
  due: z.object({
    total: z.number().describe('Runs that the next pass archives, or would.'),
    first: z.array(Due),
  }),
})
export type Archive = z.infer<typeof Archive>

export const archiveEndpoints = {
  getArchive: endpoint({
    method: 'GET',
    path: '/api/archive',
    who: 'person',
    summary: 'Runs whose history was archived, where it is, and what is due next.',
    query: z.strictObject({
      keep: z
        .string()
        .regex(/^[1-9]\d{0,4}d$/)
        .optional()
        .describe('What would be due with this in the configuration.'),
      limit: countIn(500, 50),
      after: Id.optional().describe('`next` of the page before.'),
    }),
    answers: { 200: Archive },
  }),
} as const
