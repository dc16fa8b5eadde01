import type { Guard } from '../guard/guard.ts'
import type { ToolUses } from '../hooks/tool-uses.ts'
import type { ApprovalPage } from './front/ask-by-url.ts'
import type { Front } from './front/front.ts'
import type { GuardedTool } from './guarded/guarded-tool.ts'

/** Everything that a server of ours answers from, for every connection alike. */
export interface McpOptions {
  readonly guard: Guard
  readonly toolUses: ToolUses
  readonly version: string
  /** Servers behind us; missing where none is configured. */
  readonly front?: Front | undefined
  readonly askWaitMs: () => number
  readonly approvalPage?: ApprovalPage
  /** Names of servers that wait for a person to accept them. */
  readonly unaccepted?: () => readonly string[]
  /** Our own file and shell tools, by name; missing where they are switched off. */
  readonly guardedTools?: ReadonlyMap<string, GuardedTool> | undefined
  /** The door for routines at `/mcp/process`: only what is safe for them, nothing behind us. */
  readonly isRoutine?: boolean
  /** Where our own tools work when the run does not say: the project of the server. */
  readonly workspace: string
  /** Told of requests that the protocol's library turned away: a fault of the client, not ours. */
  readonly onRejected?: (fault: unknown) => void
  readonly onFault?: (fault: unknown) => void
}
