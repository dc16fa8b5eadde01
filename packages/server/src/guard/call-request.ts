import type { ExternalAnswer } from '@statewright/core/internal'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RunRef } from '../runtime/runs/find-run.ts'
import type { RuntimeSettings } from '../runtime/settings.ts'

/** A tool call as it came in, in our own words. */
export interface CallRequest extends RunRef {
  readonly tool: string
  readonly server?: string
  readonly input: unknown
  /** Of a tool behind our gateway: the name under which we list it. */
  readonly listed?: string
  /** Of a tool of a server: arguments that are paths which it writes. */
  readonly writes?: readonly string[]
  readonly callId?: string
  readonly branch?: string
  /** It goes to our own MCP server. */
  readonly toUs?: boolean
  readonly project?: string
  readonly workspace?: string
  /** Where the client would run it; a command elsewhere than at the root proves nothing. */
  readonly cwd?: string
  /** What `~` means to the client, where it says so; the homes that we know count as well. */
  readonly home?: string
  /** File tools of ours run it: what they come across on a search they leave out themselves. */
  readonly isShielded?: boolean
  /** Where the way in itself may not pass it on: said as its denial, so that history has it. */
  readonly refusal?: ExternalAnswer
}

/**
 * Everything by which the project of a call is known. What the call or its run say only adds to the
 * project of the server: an agent could name another one to get away from its policies (PO-1b).
 */
export function projectsOf(
  settings: RuntimeSettings,
  request: CallRequest,
  live?: LiveRun,
): string[] {
  const { project, workspace } = live?.row ?? {}
  const projects = [settings.project, project, workspace, request.project, request.workspace]
  return [...new Set(projects.filter((one) => typeof one === 'string'))]
}
