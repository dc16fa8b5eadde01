import { z } from 'zod'

/** What stands in a definition, or is missing in it, with its place. */
export const Finding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
})
export type Finding = z.infer<typeof Finding>

/** A refusal (problem+json): the code first, the sentence second, then what helps on. */
export const ProblemAnswer = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  status: z.number().optional(),
  code: z.string().describe('Stable; see the list of codes.'),
  message: z.string().optional(),
  detail: z.string().optional(),
  where: z.string().optional(),
  next: z.string().optional(),
  findings: z.array(Finding).optional(),
  factors: z
    .array(z.string())
    .optional()
    .describe('Ways in which the person can confirm, when a confirmation is required.'),
  provider: z.string().optional().describe('The identity provider to confirm with.'),
})
export type ProblemAnswer = z.infer<typeof ProblemAnswer>
