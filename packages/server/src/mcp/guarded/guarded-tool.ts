import type { Tool } from '@modelcontextprotocol/server'
import type { OpenCall } from '../../guard/guarded-call.ts'

/** What a guarded tool of the gateway gives back. */
export interface GuardedOutput {
  readonly text: string
  readonly isError: boolean
}

/** Where a guarded tool works, once the call was allowed. */
export interface GuardedHost {
  readonly open: OpenCall
  /** The folder that it may not leave. */
  readonly workspace: string
  readonly signal: AbortSignal
}

/** One of the gateway's own file and shell tools, for clients that have none. */
export interface GuardedTool {
  readonly name: string
  readonly listed: Tool
  run(input: unknown, host: GuardedHost): Promise<GuardedOutput>
}

/** No server behind us may take these names, whether the tools are switched on or not. */
export const guardedToolNames = ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob'] as const
