import {
  type CallToolResult,
  createMcpHandler,
  Server,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Result } from '@statewright/core'
import type { Caller } from '../runtime/caller.ts'
import { findRun } from '../runtime/find-run.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { RuntimeProblem } from '../runtime/problem.ts'
import { activeRows, type ToolCaller } from './callers-run.ts'
import { type Connection, joinCall } from './join-call.ts'
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
  /**
   * Serves one request of a caller whose token was checked. `ancestors` are the processes at the
   * other end, from the nearest upwards, where the kernel shows them.
   */
  fetch(request: Request, caller: Caller, ancestors?: () => readonly string[]): Promise<Response>
  close(): Promise<void>
}

/** A connection may name its client session, where its client cannot do so per call. */
export const sessionHeader = 'statewright-session'

export function createMcpDoor(parts: McpParts): McpDoor {
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const known = authInfo?.extra?.known as Known // Put there by `fetch` below, always.
      const session = requestInfo?.headers.get(sessionHeader) ?? undefined
      return createServer(parts, { ...known, session })
    },
    { legacy: 'stateless', onerror: (fault) => parts.onFault?.(fault) },
  )
  return {
    fetch: (request, caller, ancestors = () => []) => {
      const known: Known = { caller, ancestors }
      return handler.fetch(request, {
        authInfo: { token: '', clientId: caller.tokenId, scopes: [], extra: { known } },
      })
    },
    close: () => handler.close(),
  }
}

type Known = Pick<Connection, 'caller' | 'ancestors'>

function createServer(parts: McpParts, connection: Connection): Server {
  const server = new Server(
    { name: 'statewright', version: parts.version },
    { capabilities: { tools: {} }, instructions },
  )
  const { caller } = connection
  server.setRequestHandler('tools/list', async () => ({ tools: await listed(parts, caller) }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name: tool, arguments: input = {}, _meta: meta = {} } = params
    const joined = joinCall(parts, connection, { tool, input, meta })
    if (!joined.ok) return toResult(joined)
    return callTool(parts, joined.value.from, tool, joined.value.args)
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
