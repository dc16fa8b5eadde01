import { err, ok, type Result } from '@statewright/core/internal'
import { Run } from '@statewright/core/wire'
import { z } from 'zod'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import { activeRows } from '../../guard/which-run.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { changeRun } from '../../runtime/runs/change-run.ts'
import { findRun, keyOfConnection } from '../../runtime/runs/find-run.ts'
import { viewRun } from '../../runtime/runs/read-run.ts'
import { type StartResult, startRun } from '../../runtime/runs/start-run.ts'
import { type ClientLink, holdsAgents, takeUpRun } from '../../runtime/runs/take-up-run.ts'
import type { RunRow } from '../../store/store.ts'
import { callersRun, type ToolCaller } from '../tool-caller.ts'
import { Name, ownTool, RunHandle } from './tool.ts'

const Loaded = z.looseObject({
  loaded: z.string(),
  ...Run.pick({ run_id: true, state: true, brief: true }).shape,
  initial_state: z.string(),
  states: z.array(z.string()),
  resumed: z.boolean(),
  branch: z.string().optional(),
  warnings: z.array(z.string()).optional(),
})

export const loadWorkflow = ownTool({
  name: 'statewright_load_workflow',
  description:
    'Start a workflow for this session. With `resume`, continue its newest paused or abandoned ' +
    'run instead; with `run`, the run with that id; with `branch`, bind this sub-agent to one ' +
    'branch of its fork.',
  input: z.object({
    name: Name.describe('Name of the workflow or process.'),
    resume: z.boolean().optional(),
    branch: Name.optional(),
    run: RunHandle,
  }),
  output: Loaded,
  async call(from, { name, resume, branch, run }) {
    const loaded = await load(from, { name, resume: resume === true, branch, run })
    if (!loaded.ok) return loaded
    const { live, resumed, warnings } = loaded.value
    const view = viewRun(live, from.caller, branch)
    const { root } = live.program
    return ok({
      loaded: root.id,
      run_id: live.row.runId,
      initial_state: root.initial,
      state: view.state,
      states: [...root.states.keys()],
      resumed,
      ...(branch === undefined ? {} : { branch }),
      ...(warnings === undefined ? {} : { warnings: [...warnings] }),
      brief: view.brief,
    })
  },
})

interface RunQuery {
  readonly name: string
  readonly resume: boolean
  readonly branch: string | undefined
  readonly run: string | undefined
}

async function load(
  from: ToolCaller,
  { name, resume, branch, run }: RunQuery,
): Promise<Result<StartResult, RuntimeProblem>> {
  if (branch !== undefined) return bindBranch(from, name, branch, run)
  const { runtime, caller, session, project } = from
  if (run !== undefined) return takeUp(from, run)
  const held = session === undefined ? await lockedRunProblem(from, { name, resume }) : undefined
  if (held !== undefined) return err(held)
  const kind = (await runtime.store.definitions.newest(name))?.kind ?? 'workflow'
  return startRun(runtime, caller, {
    ...(kind === 'process' ? { process: name } : { workflow: name }),
    resume,
    ...linkOf(from),
    // Not an argument: the client's hooks or its session said where it works.
    ...(project === undefined ? {} : { project, workspace: project, isProjectKnown: true }),
  })
}

/** What is loaded is bound to the session, else to the connection that loads it. */
function linkOf({ runtime, caller, session, connection }: ToolCaller): ClientLink {
  if (session !== undefined) return { session }
  const key = connection === undefined ? undefined : keyOfConnection(caller, connection)
  if (key !== undefined) runtime.atWork.note(key, connection?.process())
  return { connection: key }
}

/** Without a session the token is what a locked run holds: another run would slip past it. */
async function lockedRunProblem(
  from: ToolCaller,
  query: { readonly run: string } | Pick<RunQuery, 'name' | 'resume'>,
): Promise<RuntimeProblem | undefined> {
  if (from.caller.kind === 'person') return undefined
  const isRequested = (row: RunRow) =>
    'run' in query ? row.runId === query.run : query.resume && row.workflow === query.name
  const rows = (await activeRows(from.runtime, from.caller)).filter((row) => !isRequested(row))
  const runs = await Promise.all(rows.map(({ runId }) => from.runtime.live.get(runId)))
  const holding = runs.find((live) => live !== undefined && holdsAgents(live.snapshot))
  if (holding === undefined) return undefined
  const message = `A run of ${holding.row.workflow} is active, and only a person may end it.`
  return problem('locked', message, { next: 'ask a person to stop it or to start another.' })
}

async function takeUp(from: ToolCaller, run: string): Promise<Result<StartResult, RuntimeProblem>> {
  const { runtime, caller, session } = from
  const found = await findRun(runtime, caller, { run })
  if (!found.ok) return found
  const held = session === undefined ? await lockedRunProblem(from, { run }) : undefined
  return held === undefined ? takeUpRun(runtime, caller, found.value, linkOf(from)) : err(held)
}

/** From now on this caller is judged by that branch alone (WF-25). */
async function bindBranch(
  from: ToolCaller,
  name: string,
  branch: string,
  run: string | undefined,
): Promise<Result<StartResult, RuntimeProblem>> {
  const { runtime, caller } = from
  if (caller.agentId === undefined) {
    const message = 'The client does not tell its sub-agents apart, so none can be bound.'
    const next = 'work on the branches one after the other.'
    return err(problem('branch_bound', message, { next }))
  }
  const found = await callersRun(from, run)
  if (!found.ok) return found
  const misnamed = otherWorkflow(found.value, name)
  if (misnamed !== undefined) return err(misnamed)
  const { runId } = found.value.row
  const done = await changeRun(runtime, caller, { run: runId }, (_live, facts) => ({
    ...facts,
    type: 'branch_bound',
    branch,
  }))
  return done.ok ? ok({ live: done.value.live, resumed: false }) : done
}

function otherWorkflow({ row }: LiveRun, name: string): RuntimeProblem | undefined {
  if (row.workflow === name) return undefined
  const message = `The run belongs to ${row.workflow}, not to ${name}.`
  return problem('unknown_workflow', message, { next: `name ${row.workflow}.` })
}
