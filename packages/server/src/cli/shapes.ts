import { z } from 'zod'

/** What the server answers, as far as commands read it; more may stand there. */
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
