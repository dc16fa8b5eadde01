import type { Tool } from '@modelcontextprotocol/server'
import { allowsTool, compileToolList, type ToolRef } from '@statewright/core/internal'
import { activeRows } from '../guard/which-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import { findRun } from '../runtime/runs/find-run.ts'
import { viewRun } from '../runtime/runs/read-run.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type Connection, connectedCaller, runArgument } from './join-call.ts'
import type { McpOptions } from './mcp-options.ts'
import { listRoutine } from './routine/routine-tools.ts'
import { callersRun, type ToolCaller } from './tool-caller.ts'
import { ownTools } from './tools/all.ts'
import type { OwnTool } from './tools/tool.ts'

/** The tools a connection sees: ours always, others as far as the current state allows them. */
export async function listTools(options: McpOptions, connection: Connection): Promise<Tool[]> {
  const { guard, front, guardedTools } = options
  const from = await connectedCaller(guard, connection)
  if (options.isRoutine === true) return (await listRoutine(from)).map(describe)
  const debugs = await hasDebugRun(from)
  const own = ownTools.filter((tool) => debugs || !tool.isDebugging).map(describe)
  if (front === undefined && guardedTools === undefined) return own
  await front?.upstreams.started()
  const isAllowed = await allowedNow(from, front?.options.list ?? 'allowed')
  const guarded = [...(guardedTools?.values() ?? [])]
    .filter(({ name }) => isAllowed({ tool: name }))
    .map((tool) => tool.listed)
  const fronted = [...(front?.tools.values() ?? [])]
    .filter(({ server, thing, name }) => isAllowed({ tool: thing.name, server, listed: name }))
    .map(({ name, thing }) => ({ ...thing, name }))
  const others = [...guarded, ...fronted]
  return [...own, ...((await mustName(from)) ? others.map(withRun) : others)]
}

/** Whether nothing tells which of several runs a call of this connection means. */
async function mustName(from: ToolCaller): Promise<boolean> {
  if (from.session !== undefined || from.connection?.key !== undefined) return false
  if ((await activeRows(from.runtime, from.caller)).length < 2) return false
  const found = await callersRun(from, undefined)
  return !found.ok && found.error.code === 'usage'
}

/** Protocols without connections tell state by what is handed along: here, the id of a run. */
function withRun(tool: Tool): Tool {
  const description =
    'Id of the run that the call belongs to, as statewright_load_workflow returned it.'
  const properties = {
    ...tool.inputSchema.properties,
    [runArgument]: { type: 'string', description },
  }
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } }
}

/** What is shown is a help, not the guard: each call is judged when it is made. */
async function allowedNow(
  from: ToolCaller,
  list: 'allowed' | 'all',
): Promise<(ref: ToolRef) => boolean> {
  if (list === 'all') return () => true
  const run = await callersRun(from, undefined)
  if (!run.ok) {
    const isClosed = run.error.code === 'no_active_run' && from.runtime.settings.strict
    return () => !isClosed
  }
  const { allowed_tools } = viewRun(run.value, from.caller)
  if (allowed_tools === null) return () => true
  const tools = compileToolList(allowed_tools)
  // A pattern of commands opens the shell for those commands.
  const hasCommands = tools.commandPatterns.length > 0
  return (ref) =>
    allowsTool(tools, ref) || (hasCommands && ref.server === undefined && ref.tool === 'Bash')
}

/** Forcing is for runs that were made for debugging; elsewhere it would only invite tries. */
async function hasDebugRun(from: ToolCaller): Promise<boolean> {
  for (const row of await activeRows(from.runtime, from.caller)) {
    const live = await liveRun(from.runtime, from, row.runId)
    if (live?.program.root.meta.debug === true) return true
  }
  return false
}

async function liveRun(
  runtime: Runtime,
  { caller }: ToolCaller,
  run: string,
): Promise<LiveRun | undefined> {
  const found = await findRun(runtime, caller, { run })
  return found.ok ? found.value : undefined
}

function describe(tool: OwnTool): Tool {
  const { name, description, inputSchema, outputSchema, isReading } = tool
  return {
    name,
    description,
    inputSchema: { ...inputSchema },
    outputSchema: { ...outputSchema },
    // Calls marked as reading run beside others: a transition must never be marked so, or a write
    // in the same message could be judged before it.
    annotations: { readOnlyHint: isReading, openWorldHint: false, destructiveHint: false },
  }
}
