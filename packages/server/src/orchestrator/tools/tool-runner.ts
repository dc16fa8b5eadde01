import {
  type Json,
  type JsonObject,
  limits,
  type Problem,
  type Result,
} from '@statewright/core/internal'
import { builtInTools } from '../../tools/all.ts'
import { toolLimits } from '../../tools/limits.ts'
import type { CallCommands } from '../../tools/run-child.ts'
import type { Tool, ToolDone } from '../../tools/tool.ts'
import { openWorkspace } from '../../tools/workspace/workspace.ts'
import type { ToolDefinition, ToolOutcome, ToolRunner, ToolRunRequest } from '../ports.ts'

/** Tools from elsewhere, such as the MCP servers of a project. */
export interface ToolSource {
  /** The tools of a project at this moment. What cannot be reached offers none. */
  tools(projectPath: string): Promise<readonly Tool[]>
  close(): Promise<void>
}

export interface ToolRunnerOptions {
  /** How commands of a call are run; what is refused here is told to the model. */
  readonly commandsFor: (request: ToolRunRequest) => Promise<Result<CallCommands, Problem>>
  readonly timeoutMs?: number
  readonly sources?: readonly ToolSource[]
}

/** Carries out the calls of a model (SE-10). Whether a call may run was decided before. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { sources = [], timeoutMs = toolLimits.timeoutMs } = options
  const builtIn = new Map(builtInTools.map((tool) => [tool.name, tool]))
  // As they were last seen: whether a call changes something is asked between two looks.
  const seen = new Map<string, Tool>()
  const toolsOf = async (projectPath: string) => {
    const tools = (await Promise.all(sources.map((one) => one.tools(projectPath)))).flat()
    for (const tool of tools) seen.set(tool.name, tool)
    return tools
  }
  const timeoutOf = (args: Json) => wishedTimeout(args) ?? timeoutMs
  return {
    async definitions(projectPath) {
      const more = await toolsOf(projectPath)
      // A server cannot take the place of a tool of ours by giving it the same name.
      const others = more.filter((tool) => !builtIn.has(tool.name))
      return [...builtInTools, ...others].map(definitionOf)
    },
    isMutating: (name, args) => (builtIn.get(name) ?? seen.get(name))?.isMutating(args) ?? false,
    writes: (name) => (builtIn.has(name) ? undefined : seen.get(name)?.writes),
    timeoutMs: (_, args) => timeoutOf(args),
    async run(request) {
      const found =
        builtIn.get(request.name) ??
        (await toolsOf(request.projectPath)).find((tool) => tool.name === request.name)
      if (found === undefined) {
        return refused({ code: 'unknown_tool', message: request.name })
      }
      const commands = await options.commandsFor(request)
      if (!commands.ok) return refused(commands.error)
      return carryOut(
        found,
        request,
        commands.value,
        request.timeoutMs ?? timeoutOf(request.arguments),
      )
    },
    async close() {
      await Promise.all(sources.map((source) => source.close()))
    },
  }
}

async function carryOut(
  tool: Tool,
  { projectPath, signal, arguments: input }: ToolRunRequest,
  { runChild, environment, shield }: CallCommands,
  timeoutMs: number,
): Promise<ToolOutcome> {
  const workspace = openWorkspace(projectPath, shield)
  if (!workspace.ok) return { status: 'failed', error: workspace.error.message }
  if (signal.aborted) return { status: 'canceled' }
  try {
    const host = { workspace: workspace.value, signal, timeoutMs, runChild, environment }
    return outcomeOf(await tool.run(input, host), signal)
  } catch (fault) {
    // A fault of a tool's own must not take the session with it.
    const error = fault instanceof Error ? fault.message : String(fault)
    return { status: 'failed', error: `The tool failed: ${error}`.slice(0, limits.messageLength) }
  }
}

/** Nothing has begun, so that this is an answer and not a failure (SE-4). */
function refused({ code, message }: Pick<Problem, 'message'> & { code: string }): ToolOutcome {
  const output = `${code}: ${message}`
  return { status: 'succeeded', output, isError: true, changedNothing: true }
}

function outcomeOf(done: ToolDone, signal: AbortSignal): ToolOutcome {
  if (signal.aborted) return { status: 'canceled' }
  if (done.ok) {
    const { text: output, ...rest } = done.value
    return { status: 'succeeded', output, ...rest }
  }
  if (done.error.why === 'canceled') return { status: 'canceled' }
  return { status: 'failed', error: `${done.error.why}: ${done.error.message}` }
}

function definitionOf({ name, description, inputSchema }: Tool): ToolDefinition {
  return { name, description, inputSchema }
}

/** What a call of a shell tool wishes for itself, within bounds. */
function wishedTimeout(args: Json): number | undefined {
  if (!isObject(args) || !Object.hasOwn(args, 'timeout_ms')) return undefined
  const wished = args.timeout_ms
  if (typeof wished !== 'number' || !(wished > 0)) return undefined
  return Math.min(wished, toolLimits.longestTimeoutMs)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
