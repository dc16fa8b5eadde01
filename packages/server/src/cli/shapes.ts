import { z } from 'zod'

/** What the server answers, as far as commands read it; more may stand there. */
export const RunLine = z.looseObject({
  run_id: z.string(),
  workflow: z.string(),
  status: z.string(),
  state: z.string(),
})
export type RunLine = z.infer<typeof RunLine>

export const RunListed = RunLine.extend({
  calls: z.number(),
  denials: z.number(),
  passed: z.number().optional(),
  unguarded: z.boolean().optional(),
  agent_name: z.string().optional(),
  updated_at: z.number(),
})
export type RunListed = z.infer<typeof RunListed>

export const RunPage = z.looseObject({ runs: z.array(RunListed), next: z.string().nullable() })

const Pending = z.looseObject({
  approval_id: z.string(),
  message: z.string(),
  event: z.string().optional(),
  to: z.string().nullish(),
})

export const RunDetails = RunLine.extend({
  allowed_tools: z.array(z.string()).nullable(),
  transitions: z.array(
    z.looseObject({ event: z.string(), target: z.string(), requires_approval: z.boolean() }),
  ),
  iteration: z.number(),
  max_iterations: z.number().nullable(),
  context: z.record(z.string(), z.unknown()),
  pending_approval: Pending.nullable(),
  locked: z.boolean(),
  created_at: z.number(),
  updated_at: z.number(),
  calls: z.number(),
  denials: z.number(),
  passed: z.number().optional(),
  unguarded: z.boolean().optional(),
  brief: z.string(),
})
export type RunDetails = z.infer<typeof RunDetails>

export const Moved = z.union([
  z.looseObject({ status: z.literal('pending_approval'), approval_id: z.string() }),
  z.looseObject({ transitioned: z.boolean(), state: z.string(), status: z.string() }),
])

export const Entry = z.looseObject({ seq: z.number(), at: z.number(), type: z.string() })
export type Entry = z.infer<typeof Entry>
export const EntryPage = z.looseObject({ entries: z.array(Entry), next: z.number().nullable() })

export const FeedEntry = Entry.extend({ run_id: z.string() })

const Steps = z.array(z.looseObject({ event: z.string(), target: z.string() }))

export const DecisionAnswer = z.looseObject({
  decision: z.enum(['allow', 'ask', 'deny']),
  reasons: z.array(z.looseObject({ code: z.string(), message: z.string(), path: z.string() })),
  events: Steps,
  way: Steps.optional(),
  contained: z.boolean().optional(),
  proves: z
    .array(z.looseObject({ evidence: z.string(), defined_by: z.array(z.string()) }))
    .optional(),
})
export type DecisionAnswer = z.infer<typeof DecisionAnswer>

export const Verified = z.looseObject({
  run_id: z.string(),
  ok: z.boolean(),
  entries: z.number(),
  problem: z.string().optional(),
  older: z
    .looseObject({ engine: z.number(), entries: z.number(), differs: z.array(z.number()) })
    .optional(),
})

export const Approval = z.looseObject({
  approval_id: z.string(),
  run_id: z.string(),
  kind: z.string(),
  status: z.string(),
  message: z.string(),
  opened_at: z.number(),
  expires_at: z.number().optional(),
  event: z.string().optional(),
  from: z.string().optional(),
  to: z.string().nullish(),
  tool: z.string().optional(),
  agent: z.string().optional(),
  role: z.string().optional(),
  rationale: z.string().optional(),
  input: z.unknown().optional(),
  input_more: z.number().optional(),
  data: z.unknown().optional(),
  if_approved: z.string().optional(),
  if_rejected: z.string().optional(),
  if_expired: z.string().optional(),
})
export type Approval = z.infer<typeof Approval>
export const Approvals = z.looseObject({ approvals: z.array(Approval) })

export const WorkflowLine = z.looseObject({
  name: z.string(),
  version: z.number(),
  draft: z.boolean(),
  saved_by: z.string(),
  saved_at: z.number(),
  description: z.string().optional(),
})
export type WorkflowLine = z.infer<typeof WorkflowLine>

const Finding = z.looseObject({
  code: z.string(),
  severity: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
})
export type Finding = z.infer<typeof Finding>
export const Findings = z.array(Finding)
export const Saved = z.looseObject({
  name: z.string(),
  hash: z.string(),
  version: z.number(),
  findings: Findings,
})

export const Token = z.looseObject({
  id: z.string(),
  kind: z.string(),
  role: z.string(),
  name: z.string(),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})
export type Token = z.infer<typeof Token>

export const Anything = z.looseObject({})
