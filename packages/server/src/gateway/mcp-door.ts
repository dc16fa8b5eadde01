import {
  type CallToolResult,
  createMcpHandler,
  Server,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Result } from '@statewright/core'
import { claudeCode } from '../clients/claude-code.ts'
import type { Caller } from '../runtime/caller.ts'
import { findRun } from '../runtime/find-run.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { RuntimeProblem } from '../runtime/problem.ts'
import { activeRows, type ToolCaller } from './callers-run.ts'
import type { ToolUses } from './tool-uses.ts'
import { ownTools, toolByName } from './tools/all.ts'
import type { OwnTool } from './tools/tool.ts'

export interface McpParts {
  readonly runtime: RuntimeParts
  readonly toolUses: ToolUses
  readonly version: string
  readonly onFault?: (fault: unknown) => void
}

/** The MCP server at `/mcp`, for both eras of the protocol. */
export interface McpDoor {
  /** Serves one request of a caller whose token was checked. */
  fetch(request: Request, caller: Caller): Promise<Response>
  close(): Promise<void>
}

/** A connection may name its client session, where its client cannot do so per call. */
export const sessionHeader = 'statewright-session'

export function createMcpDoor(parts: McpParts): McpDoor {
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const caller = authInfo?.extra?.caller as Caller // Put there by `fetch` below, always.
      return createServer(parts, caller, requestInfo?.headers.get(sessionHeader) ?? undefined)
    },
    { legacy: 'stateless', onerror: (fault) => parts.onFault?.(fault) },
  )
  return {
    fetch: (request, caller) =>
      handler.fetch(request, {
        authInfo: { token: '', clientId: caller.tokenId, scopes: [], extra: { caller } },
      }),
    close: () => handler.close(),
  }
}

function createServer(parts: McpParts, caller: Caller, session: string | undefined): Server {
  const server = new Server(
    { name: 'statewright', version: parts.version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: await listed(parts, caller) }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const from = callerOf(parts, caller, params._meta ?? {}, session)
    return callTool(parts, from, params.name, params.arguments)
  })
  return server
}

const instructions =
  'Statewright holds this session to a state machine. Call statewright_get_state to see which ' +
  'tools are allowed and which events lead on, and statewright_transition to move on.'

async function listed({ runtime }: McpParts, caller: Caller): Promise<Tool[]> {
  const debugs = await hasDebugRun(runtime, caller)
  return ownTools.filter((tool) => debugs || !tool.isDebugging).map(describe)
}

/** Forcing is for runs that were made for debugging; elsewhere it would only invite tries. */
async function hasDebugRun(parts: RuntimeParts, caller: Caller): Promise<boolean> {
  for (const row of await activeRows({ parts, caller })) {
    const live = await findRun(parts, caller, { run: row.runId })
    if (live.ok && live.value.program.root.meta.debug === true) return true
  }
  return false
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

/** Joins the call with what its client hook announced: the session, and the sub-agent in it. */
function callerOf(
  { runtime, toolUses }: McpParts,
  caller: Caller,
  meta: Readonly<Record<string, unknown>>,
  named: string | undefined,
): ToolCaller {
  const toolUse = claudeCode.toolUseOf(meta)
  const use = toolUse === undefined ? undefined : toolUses.find(caller, toolUse)
  if (use === undefined) {
    return { parts: runtime, caller, ...(named === undefined ? {} : { session: named }) }
  }
  const { client, session, agentId, project } = use
  return {
    parts: runtime,
    caller: { ...caller, client, ...(agentId === undefined ? {} : { agentId }) },
    session,
    ...(project === undefined ? {} : { project }),
  }
}

async function callTool(
  parts: McpParts,
  from: ToolCaller,
  name: string,
  args: unknown,
): Promise<CallToolResult> {
  const tool = toolByName.get(name)
  if (tool === undefined) {
    return toResult(unknownTool(name))
  }
  try {
    return toResult(await tool.call(from, args))
  } catch (fault) {
    parts.onFault?.(fault)
    const message = 'Something of ours went wrong; nothing was changed that is not in the history.'
    return toResult({ ok: false, error: { code: 'internal', message } })
  }
}

function unknownTool(name: string): Result<never, RuntimeProblem> {
  const message = `There is no tool ${name.slice(0, 100)} here.`
  return { ok: false, error: { code: 'usage', message, next: 'list the tools.' } }
}

/** A refusal is a result, not a protocol error: the model must read it and can go on from it. */
function toResult(done: Result<object, RuntimeProblem>): CallToolResult {
  if (!done.ok) {
    const { code, message, where, next, details } = done.error
    const refusal = { code, message, where, next, ...details }
    // No structured content: clients hold it against the schema of the good answer.
    return { content: [{ type: 'text', text: JSON.stringify(refusal) }], isError: true }
  }
  const structuredContent = { ...done.value }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}
