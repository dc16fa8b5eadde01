import {
  isJsonObject,
  ok,
  ownToolNames,
  type Problem,
  type Result,
} from '@statewright/core/internal'
import { z } from 'zod'
import { ourServerName, resultFacts } from './claude-tools.ts'
import type { ClientAnswer, ClientCall, ClientEvent, CodingClient, HookOrigin } from './client.ts'
import { eventNameIn, readBody, shortened } from './read-body.ts'

/**
 * Cursor, as its documentation tells of its hooks; experimental, since no test has driven it. It
 * names its sub-agents in no hook, so that branches of a fork are worked one after the other.
 */
export const cursor: CodingClient = {
  name: 'cursor',
  processNames: ['cursor', 'Cursor', 'cursor-agent'],
  readsByShell: false,
  marksOwnCalls: true,
  briefsAfterEachTool: true,

  parse(body, origin = {}) {
    const head = readBody(Head, 'hook', body, (data) => data)
    if (!head.ok) return head
    const { conversation_id: session, hook_event_name: name, workspace_roots } = head.value
    const cwd = head.value.cwd ?? workspace_roots?.[0]
    const event = readEvent(name, body, origin)
    if (!event.ok) return event
    return ok({
      session,
      ...(cwd === undefined ? {} : { cwd }),
      event: event.value,
    } satisfies ClientCall)
  },

  render(body, answer) {
    return renderFor(eventNameIn(body), answer)
  },

  toolUseOf: () => undefined,
}

const Head = z.looseObject({
  conversation_id: z.string().min(1).max(200),
  hook_event_name: z.string(),
  cwd: z.string().optional(),
  workspace_roots: z.array(z.string()).optional(),
})

const Tool = z.looseObject({
  tool_name: z.string().min(1).max(500),
  tool_use_id: z.string().min(1).max(200),
  tool_input: z.unknown(),
})
type Tool = z.infer<typeof Tool>

const Finished = Tool.extend({
  tool_output: z.unknown().optional(),
  duration: z.number().nonnegative().optional(),
})

function readEvent(name: string, body: unknown, origin: HookOrigin): Result<ClientEvent, Problem> {
  switch (name) {
    case 'preToolUse':
      return readBody(Tool, name, body, (tool) => requested(tool, origin))
    case 'postToolUse':
      return readBody(Finished, name, body, (tool) => finished(tool, exitOf(tool), origin))
    case 'postToolUseFailure':
      return readBody(Finished, name, body, (tool) => finished(tool, 'failure', origin))
    case 'beforeSubmitPrompt':
      return ok({ type: 'prompt_given' })
    case 'sessionStart':
      return ok({ type: 'session_started' })
    case 'sessionEnd':
      return ok({ type: 'session_ended' })
    case 'stop':
      return ok({ type: 'turn_ended' })
    case 'subagentStop':
      return ok({ type: 'agent_ended' })
    default:
      return ok({ type: 'other' })
  }
}

function requested({ tool_name, tool_use_id, tool_input }: Tool, origin: HookOrigin): ClientEvent {
  const { tool, server } = namesIn(tool_name)
  const toUs = isOurs(tool_name, origin)
  return {
    type: 'tool_requested',
    callId: tool_use_id,
    tool,
    ...(server === undefined || toUs ? {} : { server }),
    input: asJson(tool_input),
    toUs,
  }
}

function finished(
  { tool_name, tool_use_id, tool_output, duration: durationMs }: z.infer<typeof Finished>,
  exit: 'success' | 'failure' | null,
  origin: HookOrigin,
): ClientEvent {
  return {
    type: 'tool_finished',
    callId: tool_use_id,
    tool: tool_name,
    toUs: isOurs(tool_name, origin),
    ...resultFacts(tool_output),
    exit,
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

/** How a shell call ended is nowhere promised, so that it proves nothing (WF-31). */
function exitOf({ tool_name }: Tool): 'success' | null {
  return tool_name === 'Shell' ? null : 'success'
}

/** `MCP:server:tool`, or `MCP:tool` where the client leaves the server out. */
function namesIn(name: string): { readonly tool: string; readonly server?: string } {
  if (!name.startsWith(mcpPrefix)) return { tool: name }
  const rest = name.slice(mcpPrefix.length)
  const colon = rest.indexOf(':')
  // Without its server it is still one of somebody else's: it must not pass for a built-in tool.
  if (colon < 0) return { tool: rest, server: 'unknown' }
  return { tool: rest.slice(colon + 1), server: rest.slice(0, colon) }
}

const mcpPrefix = 'MCP:'
const ourPrefix = `${mcpPrefix}${ourServerName}:`
const ownNames: ReadonlySet<string> = new Set(
  ownToolNames.flatMap((name) => [`${mcpPrefix}${name}`, `${mcpPrefix}${ourServerName}:${name}`]),
)

/** A tool behind us counts only with our server's name: its own may be that of any other's. */
function isOurs(name: string, { isFronted }: HookOrigin): boolean {
  if (ownNames.has(name)) return true
  return name.startsWith(ourPrefix) && isFronted?.(name.slice(ourPrefix.length)) === true
}

/** Arguments of an MCP call may come as text. */
function asJson(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    const value: unknown = JSON.parse(input)
    return isJsonObject(value) ? value : input
  } catch {
    return input
  }
}

const telling: ReadonlySet<string> = new Set(['postToolUse', 'sessionStart'])

function renderFor(name: string | undefined, answer: ClientAnswer): object {
  if (answer.kind === 'nothing') return {}
  if (answer.kind === 'rewrite') {
    return name === 'preToolUse' ? { permission: 'allow', updated_input: answer.input } : {}
  }
  const text = shortened(answer.text)
  if (name !== undefined && telling.has(name)) return { additional_context: text }
  // Words beside a call that may run have no place in this client; its result will carry them.
  if (answer.kind === 'tell') return {}
  // Never `ask`, which the client accepts and does not enforce. An event that cannot be read may
  // be a call.
  if (name === undefined || name === 'preToolUse') {
    return { permission: 'deny', user_message: text, agent_message: text }
  }
  return {}
}
