export interface Entry {
  readonly type: string
  readonly decision?: string
  readonly code?: string
  readonly cause?: { readonly source?: string }
}

/** What a person can do with the run, whatever door the agent came through. */
export interface Person {
  /** The question that the run waits with. */
  waiting(runId: string): Promise<string | undefined>
  answer(approvalId: string, verdict: 'approve' | 'reject'): Promise<void>
  transition(runId: string, event: string): Promise<void>
  history(runId: string): Promise<readonly Entry[]>
}
