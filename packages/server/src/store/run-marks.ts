/** What lists show of a run that was not held. */
export interface RunMarks {
  /** Calls that observe mode let pass although they would have been stopped. */
  readonly passed: number
  /** Paused by its own agent: nothing of the workflow is enforced. */
  readonly unguarded: boolean
}
