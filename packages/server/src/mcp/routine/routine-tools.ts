import type { CallToolResult } from '@modelcontextprotocol/server'
import {
  type Code,
  err,
  isJsonObject,
  ok,
  type Result,
  routineToolNames,
  routineTools,
} from '@statewright/core/internal'
import { actorOf } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import { redactText } from '../../base/redact.ts'
import { dispatch } from '../../runtime/dispatch.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { refusalResult, toResult } from '../front/results.ts'
import { callersRun, type ToolCaller } from '../tool-caller.ts'
import { memoryTools } from '../tools/memory.ts'
import { processState, processStep } from '../tools/process.ts'
import { taskTools } from '../tools/task.ts'
import type { OwnTool } from '../tools/tool.ts'
import { inProject } from './routine-project.ts'

/** The tools of `/mcp/process`: what a routine may use without anybody watching (PR-7). */
export const routine: readonly OwnTool[] = [processStep, processState, ...memoryTools, ...taskTools]

const ofNotebook = new Set([...memoryTools, ...taskTools].map(({ name }) => name))

const byName: ReadonlyMap<string, OwnTool> = new Map(routine.map((tool) => [tool.name, tool]))

/** The tools that a caller is shown: those that its process lists. */
export async function listRoutine(from: ToolCaller): Promise<readonly OwnTool[]> {
  const run = await boundRun(from, undefined)
  const allowed = new Set(run.ok ? allowedIn(from, run.value) : routineToolNames)
  return routine.filter((tool) => allowed.has(tool.name))
}

/** Calls one of them, and writes the call down in the run where there is one. */
export async function callRoutine(
  caller: ToolCaller,
  workspace: string,
  name: string,
  args: unknown,
): Promise<CallToolResult> {
  const named = isJsonObject(args) && typeof args.run === 'string' ? args.run : undefined
  const run = await boundRun(caller, named)
  if (!run.ok) return refusalResult(run.error)
  const live = run.value
  const allowed = allowedIn(caller, live)
  const tool = allowed.includes(name) ? byName.get(name) : undefined
  const done =
    tool === undefined
      ? err(notOffered(name, allowed))
      : await callTool(tool, caller, { live, workspace, args })
  if (live !== undefined) await note(caller, live, callText(name, args), done)
  return toResult(done.ok ? done : err(advised(done.error)))
}

/** What other doors advise is not offered here: a process is started by a person. */
function advised(refusal: RuntimeProblem): RuntimeProblem {
  if (refusal.code !== 'no_active_run') return refusal
  return { ...refusal, next: 'ask a person to start one: statewright process start NAME.' }
}

interface RoutineInput {
  readonly live: LiveRun | undefined
  readonly workspace: string
  readonly args: unknown
}

async function callTool(
  tool: OwnTool,
  caller: ToolCaller,
  { live, workspace, args }: RoutineInput,
) {
  if (!ofNotebook.has(tool.name)) return tool.call(caller, args)
  const from = await inProject(caller, live, workspace)
  return from.ok ? tool.call(from.value, args) : from
}

/**
 * The run whose process speaks; none is no fault, since memory and tasks are the project's. Between
 * several it is not guessed: a caller could else choose the one that lists the most.
 */
async function boundRun(
  from: ToolCaller,
  named: string | undefined,
): Promise<Result<LiveRun | undefined, RuntimeProblem>> {
  const found = await callersRun(from, named)
  if (found.ok || found.error.code !== 'no_active_run') return found
  return ok(undefined)
}

function allowedIn({ caller }: ToolCaller, live: LiveRun | undefined): readonly string[] {
  if (live === undefined) return routineToolNames
  return routineTools(live.program, live.snapshot, actorOf(caller))
}

function notOffered(name: string, allowed: readonly string[]): RuntimeProblem {
  const known = byName.has(name)
  const message = known
    ? `The allowed_tools of this process do not list ${name}.`
    : `There is no tool ${name.slice(0, 100)} here.`
  const next =
    allowed.length === 0
      ? 'the process allows no tool here: ask a person to add process_step to its allowed_tools.'
      : `use one of: ${allowed.join(', ')}.`
  return problem('tool_not_allowed', message, { next })
}

/** What a call was about, without what it wrote: texts are kept in the notebook, not twice. */
function callText(name: string, args: unknown): string {
  const given = isJsonObject(args) ? args : {}
  const about = [given.key, given.task_id, given.query, given.title, given.answer].find(
    (one) => typeof one === 'string',
  )
  return [name.slice(0, 100), ...(typeof about === 'string' ? [about.slice(0, 200)] : [])].join(' ')
}

async function note(
  { runtime, caller }: ToolCaller,
  live: LiveRun,
  text: string,
  done: Result<object, { readonly code: Code }>,
): Promise<void> {
  await dispatch(runtime, live.row.runId, () => ({
    event: {
      type: 'noted',
      entry: 'notice',
      at: runtime.clock.now(),
      by: actorOf(caller),
      text: redactText(text),
      source: 'process',
      ...(done.ok ? {} : { code: done.error.code }),
    },
    extras: { role: caller.role },
  }))
}
