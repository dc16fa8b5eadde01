import { z } from 'zod'
import { Id, Path, SessionId } from './basics.ts'
import { endpoint } from './endpoint.ts'

export const Way = z.object({
  event: z.string(),
  target: z.string(),
  needs: z.string().optional().describe('What its guards still need.'),
})

export const Reason = z.object({
  code: z.string(),
  message: z.string(),
  path: z.string(),
  start: z
    .number()
    .optional()
    .describe('For a shell command: offset of the part that it is about.'),
  end: z.number().optional(),
  resets_at: z.string().optional().describe('When a used-up limit resets, in ISO form.'),
})

/** What a call got, or would get. */
export const Decision = z.object({
  decision: z.enum(['allow', 'ask', 'deny']),
  code: z.string().optional(),
  message: z.string().optional(),
  reasons: z.array(Reason),
  approval_id: z.string().optional(),
  allowed_tools: z.array(z.string()).nullable(),
  events: z.array(Way),
  way: z.array(Way).optional(),
  run_id: z.string().nullable(),
  call_id: z.string(),
  notices: z.array(z.string()),
  would: z.enum(['ask', 'deny']).optional().describe('In observe mode: what was not enforced.'),
  contained: z
    .boolean()
    .optional()
    .describe('It would run in a sandbox, where it can do no harm (SH-14).'),
})
export type Decision = z.infer<typeof Decision>

/** The same, of a call that nobody makes. */
export const Explanation = Decision.extend({
  proves: z
    .array(z.object({ evidence: z.string(), defined_by: z.array(z.string()) }))
    .optional()
    .describe('Evidence that it gives, and the files whose change needs a person (WF-31c).'),
})

export const CallCheck = z.strictObject({
  run: Id.optional(),
  session: SessionId.optional(),
  tool: Id.describe('Name of the tool, as the client calls it.'),
  input: z.unknown().optional(),
  call_id: Id.optional().describe('A repeated id gets the same answer and counts once.'),
  branch: Id.optional(),
  server: Id.optional().describe('The MCP server that the tool belongs to.'),
  project: Path.optional(),
  workspace: Path.optional(),
})

export const CallReport = z.strictObject({
  run: Id.optional(),
  session: SessionId.optional(),
  call_id: Id,
  tool: Id.optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  bytes: z.int().min(0).optional(),
  exit: z.union([z.enum(['success', 'failure']), z.int()]).optional(),
  cost_usd: z.number().min(0).max(1_000_000).optional(),
  duration_ms: z.number().min(0).optional(),
  branch: Id.optional(),
})

export const callEndpoints = {
  checkCall: endpoint({
    method: 'POST',
    path: '/api/check',
    who: 'hook',
    summary: 'Check a tool call before it is made.',
    body: CallCheck,
    answers: { 200: Decision },
  }),
  reportCall: endpoint({
    method: 'POST',
    path: '/api/result',
    who: 'hook',
    summary: 'Report how a call that was let through ended.',
    body: CallReport,
    answers: {
      200: z.object({
        state: z.string(),
        notices: z.array(z.string()),
        interrupt: z
          .object({ name: z.string(), file: z.string(), from: z.string(), to: z.string() })
          .optional(),
      }),
    },
  }),
}
