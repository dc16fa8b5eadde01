import { z } from 'zod'
import { Allowance } from '../run/verdict.ts'
import { countIn, Id, Note } from './basics.ts'
import { endpoint } from './endpoint.ts'

export const approvalStatuses = [
  'waiting',
  'approved',
  'rejected',
  'expired',
  'withdrawn',
  'failed',
] as const

/** What is used of a rate or a budget. */
export const Used = z.object({
  kind: z.enum(['rate', 'budget']),
  used: z.number().describe('Calls, or US dollars.'),
  max: z.number(),
  window_seconds: z.number().optional(),
  period: z.string().optional(),
  resets_at: z.string().nullable(),
  free: z.boolean(),
})
export type Used = z.infer<typeof Used>

/** What was written down when it was asked, for anyone who must decide. */
export const ApprovalDetails = z.object({
  event: z.string().optional(),
  from: z.string().optional(),
  to: z.string().nullable().optional(),
  tool: z.string().optional(),
  state: z.string().optional().describe('State in which the call was made.'),
  agent: z.string().optional().describe('Name of the token that asks.'),
  role: z.string().optional(),
  rationale: z.string().optional().describe('Why the agent answered so, in its own words.'),
  input: z.unknown().optional(),
  input_more: z.number().optional().describe('Characters of a very long input that were not kept.'),
  data: z.record(z.string(), z.json()).optional(),
  rules: z
    .array(z.object({ path: z.string(), message: z.string(), usage: z.array(Used).optional() }))
    .optional()
    .describe('The rules that asked, each with its path in the definition.'),
})

/** A part of a command that somebody who approves it should see. */
export const CommandMark = z.object({
  start: z.number(),
  end: z.number(),
  tone: z
    .enum(['bad', 'wait'])
    .describe('bad: changes something for good, or who decides; wait: reaches out, or is unknown.'),
  message: z.string(),
  command: z
    .object({ start: z.number(), end: z.number() })
    .optional()
    .describe('The simple command that it stands in.'),
})
export type CommandMark = z.infer<typeof CommandMark>

/** A question to a person, and what became of it. */
export const Approval = ApprovalDetails.extend({
  approval_id: z.string(),
  run_id: z.string(),
  kind: z.enum(['transition', 'ask', 'checkpoint']),
  status: z.enum(approvalStatuses),
  message: z.string(),
  opened_at: z.number(),
  expires_at: z.number().optional(),
  resolved_at: z.number().optional(),
  resolved_by: z.string().nullable().optional(),
  note: z.string().nullable().optional(),
  if_approved: z.string().optional().describe('What approving would do; only while it waits.'),
  if_rejected: z.string().optional(),
  if_expired: z.string().optional(),
  if_always: z.string().optional(),
  marks: z
    .array(CommandMark)
    .optional()
    .describe('What `input.command` would change or reach; only while it waits.'),
})
export type Approval = z.infer<typeof Approval>

export const approvalEndpoints = {
  listApprovals: endpoint({
    method: 'GET',
    path: '/api/approvals',
    who: 'agent',
    summary: 'List approvals; an agent sees those of its runs.',
    query: z.strictObject({
      status: z.enum(approvalStatuses).optional(),
      run: Id.optional(),
      order: z
        .enum(['opened', 'resolved'])
        .optional()
        .describe('The newest question first, or of those with an answer the newest answer.'),
      limit: countIn(500, 100),
    }),
    answers: { 200: z.object({ approvals: z.array(Approval) }) },
  }),
  getApproval: endpoint({
    method: 'GET',
    path: '/api/approvals/:id',
    who: 'agent',
    summary: 'One approval; an agent sees those of its runs.',
    answers: { 200: Approval },
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/approvals/:id/approve',
    who: 'person',
    summary: 'Approve.',
    proof: 'approve',
    body: z.strictObject({
      note: Note.optional(),
      always: z
        .boolean()
        .optional()
        .describe('For a call: do not ask under this rule again in this run.'),
      allowance: Allowance.optional().describe(
        'With `always`: for which calls, where, until when.',
      ),
    }),
    answers: { 200: Approval },
  }),
  reject: endpoint({
    method: 'POST',
    path: '/api/approvals/:id/reject',
    who: 'person',
    summary: 'Reject, with a reason.',
    body: z.strictObject({ reason: Note.min(1) }),
    answers: { 200: Approval },
  }),
}
