import { err, ok, type Result, type RunStatus } from '@statewright/core'
import type { Caller } from '../runtime/caller.ts'
import { activeOfSession, findRun } from '../runtime/find-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { problem, type RuntimeProblem } from '../runtime/problem.ts'
import type { RunRow } from '../store/store.ts'

/** Who calls a tool of ours, and what is known of where it stands. */
export interface ToolCaller {
  readonly parts: RuntimeParts
  readonly caller: Caller
  /** The client session, where a client hook has announced the call or the connection names it. */
  readonly session?: string
  readonly project?: string
}

const unfinished: readonly RunStatus[] = ['running', 'waiting', 'paused', 'blocked']
const mostListed = 20

/**
 * The run a call belongs to: the one it names, else its session's, else the only one that its token
 * has. Between two it is never guessed: a transition of the wrong run cannot be taken back.
 */
export async function callersRun(
  from: ToolCaller,
  run: string | undefined,
): Promise<Result<LiveRun, RuntimeProblem>> {
  const { parts, caller, session } = from
  if (run !== undefined) return findRun(parts, caller, { run })
  if (session !== undefined) {
    const live = await activeOfSession(parts, caller, session)
    return live === undefined ? err(noRun('This session has no run.')) : ok(live)
  }
  const rows = await activeRows(from)
  const [only, second] = rows
  if (only === undefined) return err(noRun('No run is active.'))
  if (second !== undefined) {
    const known = rows.map((row) => `${row.runId} (${row.workflow})`).join(', ')
    const message = 'Several runs are active, and the call does not say which one it means.'
    return err(problem('usage', message, { where: 'run', next: `name one of: ${known}.` }))
  }
  return findRun(parts, caller, { run: only.runId })
}

/** Runs of the caller's token that are not finished, newest first. */
export async function activeRows({ parts, caller }: ToolCaller): Promise<readonly RunRow[]> {
  const { tokenId: owner } = caller
  const page = await parts.store.runs.list({ owner, status: unfinished, limit: mostListed })
  return page.runs
}

function noRun(message: string): RuntimeProblem {
  const next = 'load one with statewright_load_workflow; statewright_list_workflows names them.'
  return problem('no_active_run', message, { next })
}
