import { z } from 'zod'
import type { Code } from '../base/problem.ts'

/**
 * How a question to a person ended, in the one spelling that entries, answers and the inbox have.
 * Failed: it was approved, but the guards did not hold any more.
 */
export type Verdict = 'approved' | 'rejected' | 'expired' | 'withdrawn' | 'failed'

/** The code of an end that lets nothing through. */
export const verdictCodes: Readonly<Record<Exclude<Verdict, 'approved'>, Code>> = {
  rejected: 'approval_rejected',
  expired: 'approval_expired',
  withdrawn: 'approval_withdrawn',
  failed: 'guard_failed',
}

/**
 * What a person allowed from now on when a rule asked: which calls it asks about no more, where and
 * until when (PO-7e). Whatever it does not cover is asked about as before.
 */
export const Allowance = z.strictObject({
  covers: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('call') }).describe('Exactly these arguments.'),
    z
      .strictObject({
        kind: z.literal('command'),
        words: z.array(z.string().min(1).max(500)).min(1).max(50),
      })
      .describe('One command of these words; * is any path inside the workspace.'),
    z
      .strictObject({ kind: z.literal('folder'), folder: z.string().min(1).max(4096) })
      .describe('The same tool on files in this folder and below.'),
  ]),
  where: z
    .enum(['state', 'run'])
    .describe('In the state in which it was asked, or in the whole run.'),
  until: z
    .int()
    .min(0)
    .optional()
    .describe('Milliseconds since 1970; the end of the run when left out.'),
})
export type Allowance = z.infer<typeof Allowance>
