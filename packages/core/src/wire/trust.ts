import { z } from 'zod'
import { SeenClient } from './client.ts'
import { endpoint } from './endpoint.ts'
import { Mode } from './mode.ts'

/** What holds a client session that begins now. */
export const NewSessions = z.object({
  guard: z.enum(['workflow', 'closed', 'policies', 'open', 'broken']),
  sentence: z.string(),
  next: z.string().nullable().describe('What to do about it; null where nothing is wrong.'),
})
export type NewSessions = z.infer<typeof NewSessions>

/** Calls of one run that ran without a decision of ours. */
export const UnjudgedCalls = z.object({
  count: z.number(),
  blocks: z.boolean().describe('Nothing more may run until a person has looked.'),
})
export type UnjudgedCalls = z.infer<typeof UnjudgedCalls>

/** How far what the server says of runs can be relied on. */
export const Trust = z.object({
  level: z.enum(['L0', 'L1', 'L2']),
  sentence: z.string().describe('What is protected at that level.'),
  mode: Mode,
  strict: z.boolean(),
  new_sessions: NewSessions,
  would_have_denied: z
    .number()
    .nullable()
    .describe('In observe mode: calls that the rules would have stopped since the switch.'),
  unjudged: z.object({
    count: z.number(),
    last: z.object({ at: z.number(), run_id: z.string(), text: z.string() }).nullable(),
    runs: z.record(z.string(), UnjudgedCalls),
  }),
  unguarded: z
    .array(z.object({ run_id: z.string(), workflow: z.string() }))
    .describe('Runs that their own agents paused: none of their rules are enforced.'),
  enforcement_gap_until: z
    .number()
    .nullable()
    .describe('The server was down until then, and calls may have passed unseen.'),
  clients: z.array(SeenClient),
})
export type Trust = z.infer<typeof Trust>

export const trustEndpoints = {
  getTrust: endpoint({
    method: 'GET',
    path: '/api/trust',
    who: 'agent',
    summary: 'The level of protection, calls that were not checked, gaps, and clients seen.',
    answers: { 200: Trust },
  }),
  trustRun: endpoint({
    method: 'POST',
    path: '/api/runs/:id/trust',
    who: 'person',
    summary: 'Let a run continue that was stopped, in strict mode, by a call that was not checked.',
    proof: 'release',
    answers: { 200: z.object({ run_id: z.string(), lifted: z.literal(true) }) },
  }),
}
