/** Words that mean failure when a final state says nothing else (WF-15). */
export const failureNames: ReadonlySet<string> = new Set([
  'failed',
  'failure',
  'error',
  'blocked',
  'rejected',
  'aborted',
  'cancelled',
])
