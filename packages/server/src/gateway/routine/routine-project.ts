import type { LiveRun } from '../../runtime/live-runs.ts'
import type { ToolCaller } from '../tool-caller.ts'

/** Where memory and tasks lie that belong to no project. */
const nowhere = 'default'

/** The project whose memory and tasks a call means; an argument never says so (PR-8). */
export function notebookProject({ project }: ToolCaller): string {
  return project ?? nowhere
}

/** The same caller, in the project of its run, else where its client or the server works. */
export function inProject(
  from: ToolCaller,
  live: LiveRun | undefined,
  workspace: string,
): ToolCaller {
  const { project, workspace: folder } = live?.row ?? {}
  return { ...from, project: project ?? folder ?? from.project ?? workspace }
}
