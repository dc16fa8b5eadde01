import type { ApprovalResolved } from '../run/events.ts'

/** What came of a question: an approval that comes too late is none. */
export function verdictOf(
  { verdict, at }: ApprovalResolved,
  expiresAt: number | null,
): 'approved' | 'rejected' | 'expired' {
  if (verdict === 'reject') return 'rejected'
  const isLate = expiresAt !== null && at >= expiresAt
  return verdict === 'expire' || isLate ? 'expired' : 'approved'
}
