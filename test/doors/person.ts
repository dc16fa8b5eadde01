export interface Entry {
  readonly type: string
  readonly decision?: string
  readonly code?: string
  readonly cause?: { readonly source?: string }
}

/** What a person can do with the run, whatever door the agent came through. */
export interface Person {
  /** Answers the next question of the run as soon as it is there. */
  answer(runId: string, verdict: 'approve' | 'reject'): Promise<void>
  transition(runId: string, event: string): Promise<void>
  history(runId: string): Promise<readonly Entry[]>
}
