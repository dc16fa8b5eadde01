import { z } from 'zod'
import { Id, Path, Time } from './basics.ts'
import { endpoint } from './endpoint.ts'

const Kind = z.enum(['allow', 'ask', 'deny'])

/** A call, as it was judged and as the tried rules would judge it. */
export const ReplayedCall = z.object({
  run: z.string(),
  index: z.number().describe('Its entry in the history of the run.'),
  at: Time,
  tool: z.string(),
  program: z.string().describe('The first program of a command, else the tool.'),
  shown: z.string().describe('The call on one line.'),
  before: Kind.nullable().describe('Null where the call was not checked.'),
  after: Kind.or(z.literal('undecided')),
  code: z.string().optional(),
  path: z.string().optional().describe('The rule that decided.'),
  message: z.string().optional(),
  state: z.string().optional(),
  missing: z.array(z.string()).optional().describe('What was never recorded.'),
  link: z.string().optional(),
})
export type ReplayedCall = z.infer<typeof ReplayedCall>

const Difference = z.enum(['newly_denied', 'newly_asked', 'newly_allowed', 'no_longer_asked'])

const ReplayGroup = z.object({
  name: z.string().nullable().describe('Null for all groups beyond the limit together.'),
  kind: Difference.optional(),
  count: z.number(),
  samples: z.array(ReplayedCall),
})

const ReplayDivergence = z.object({
  run: z.string(),
  index: z.number(),
  at: Time,
  expected: z.string().describe('What happened.'),
  instead: z.string().describe('What would have happened.'),
  not_compared: z.number().describe('Later entries, about which nothing can be said.'),
  undecided: z.array(z.string()).optional(),
  link: z.string().optional(),
})

/** What tried rules would have done to what was recorded. */
export const ReplayReport = z.object({
  runs: z.number(),
  decisions: z.number(),
  same: z.number(),
  differences: z.record(Difference, z.number()),
  undecided: z.number(),
  unsure_moves: z.number(),
  missing: z.array(ReplayGroup),
  divergences: z.object({
    total: z.number(),
    not_compared: z.number(),
    first: z.array(ReplayDivergence),
  }),
  rules: z.array(ReplayGroup),
  programs: z.array(ReplayGroup),
  telling: z.array(ReplayedCall),
  notes: z.array(z.object({ text: z.string(), count: z.number() })),
})
export type ReplayReport = z.infer<typeof ReplayReport>

export const Replay = z.object({
  replay_id: z.string(),
  status: z.enum(['running', 'done', 'failed', 'cancelled']),
  entries: z.number().describe('Entries that were played.'),
  of: z.number().describe('Entries of the runs that were chosen.'),
  started_at: Time,
  report: ReplayReport.optional(),
  problem: z
    .object({ code: z.string(), message: z.string(), next: z.string().optional() })
    .optional()
    .describe('Why it failed.'),
})
export type Replay = z.infer<typeof Replay>

/** Rules tried on past runs, beside the server that goes on working. Nothing is changed. */
export const replayEndpoints = {
  startReplay: endpoint({
    method: 'POST',
    path: '/api/replays',
    who: 'person',
    summary: 'Try a changed definition or policy on past runs.',
    body: z.strictObject({
      definition: z.string().optional().describe('The text of a workflow or process.'),
      policy: z.unknown().optional().describe('A policy of a project or role, by `name`.'),
      name: Id.optional().describe('Name of the policy that is replaced.'),
      policy_project: Path.min(1).optional().describe('The project that it is attached to.'),
      since: Time.optional().describe('Only runs in which something happened since.'),
      workflow: Id.optional().describe('Only runs of this definition.'),
      project: Path.min(1).optional().describe('Only runs of this project.'),
      reanalyse: z.boolean().optional().describe('Analyse commands as this version does.'),
    }),
    answers: { 202: Replay },
  }),
  getReplay: endpoint({
    method: 'GET',
    path: '/api/replays/:id',
    who: 'person',
    summary: 'How far a replay is, and its report once it is done.',
    answers: { 200: Replay },
  }),
  cancelReplay: endpoint({
    method: 'DELETE',
    path: '/api/replays/:id',
    who: 'person',
    summary: 'Stop a replay.',
    answers: { 200: Replay },
  }),
}
