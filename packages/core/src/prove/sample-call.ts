import type { ObservedResult } from '../run/read-result.ts'

/** A call that the search lets an agent make. */
export interface SampleCall {
  readonly tool: string
  readonly input: unknown
  /** What it answers with where it succeeds. */
  readonly result?: ObservedResult | undefined
  /** Made up in the hope that it changes a file: without that it is left out. */
  readonly isGuess?: boolean | undefined
}
