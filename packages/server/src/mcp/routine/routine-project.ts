import { err, ok, type Result } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { seesProject } from '../../runtime/runs/scope.ts'
import type { ToolCaller } from '../tool-caller.ts'

/** Where memory and tasks lie that belong to no project. */
const nowhere = 'default'

/** The project whose memory and tasks a call means; an argument never says so (PR-8). */
export function notebookProject({ project }: ToolCaller): string {
  return project ?? nowhere
}

/**
 * The same caller, in the project of its run, else where its client or the server works. What an
 * agent itself said when it started the run opens no project (PO-8).
 */
export async function inProject(
  from: ToolCaller,
  live: LiveRun | undefined,
  workspace: string,
): Promise<Result<ToolCaller, RuntimeProblem>> {
  const { project, workspace: folder } = live?.row ?? {}
  const ofRun = project ?? folder
  const isKnown =
    ofRun === undefined ||
    ofRun === null ||
    [from.project, workspace].includes(ofRun) ||
    (await seesProject(from.runtime, from.caller, ofRun))
  if (!isKnown) return err(notTheirs)
  return ok({ ...from, project: ofRun ?? from.project ?? workspace })
}

const notTheirs = problem('not_found', 'Your token does not belong to the project of this run.', {
  next: 'ask a person for a token of that project.',
})
