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
