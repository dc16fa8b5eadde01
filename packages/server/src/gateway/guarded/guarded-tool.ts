import type { Tool } from '@modelcontextprotocol/server'
import type { CheckAnswer } from '../../runtime/check-call.ts'

/** What a guarded tool of the gateway gives back. */
export interface GuardedGiven {
  readonly text: string
  readonly isError: boolean
}

/** Where a guarded tool works, once the call was allowed. */
export interface GuardedPlace {
  /** The real folder that it may not leave. */
  readonly workspace: string
  readonly allowed: CheckAnswer
  readonly signal: AbortSignal
}

/** One of the gateway's own file and shell tools, for clients that have none. */
export interface GuardedTool {
  readonly name: string
  readonly listed: Tool
  run(input: unknown, place: GuardedPlace): Promise<GuardedGiven>
}

/** What a shell command runs with on this machine. */
export interface GuardedMachine {
  readonly environment: Readonly<Record<string, string | undefined>>
}
