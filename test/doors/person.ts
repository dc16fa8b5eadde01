export interface Entry {
  readonly type: string
  readonly decision?: string
  readonly would?: string
  readonly code?: string
  readonly call_id?: string
  readonly cause?: { readonly source?: string }
}

/** What a person can do with the run, whatever door the agent came through. */
export interface Person {
  /** The question that the run waits with. */
  waiting(runId: string): Promise<string | undefined>
  answer(approvalId: string, verdict: 'approve' | 'reject'): Promise<void>
  transition(runId: string, event: string): Promise<void>
  history(runId: string): Promise<readonly Entry[]>
  pause(runId: string): Promise<void>
  /** What was kept of the output of a call, as text. */
  output(runId: string, callId: string): Promise<string | undefined>
}
