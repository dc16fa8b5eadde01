import type { RunRef } from '../runtime/find-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'

/** A tool call as it came in, in our own words. */
export interface CallRequest extends RunRef {
  readonly tool: string
  readonly server?: string
  readonly input: unknown
  readonly callId?: string
  readonly branch?: string
  /** It goes to our own MCP server. */
  readonly toUs?: boolean
  readonly project?: string
  readonly workspace?: string
  /** Where the client would run it; a command elsewhere than at the root proves nothing. */
  readonly cwd?: string
}

/** Everything by which the project of a call is known: what the run says and what the call says. */
export function projectsOf(request: CallRequest, live?: LiveRun): string[] {
  const { project, workspace } = live?.row ?? {}
  const projects = [project, workspace, request.project, request.workspace]
  return [...new Set(projects.filter((one) => typeof one === 'string'))]
}
