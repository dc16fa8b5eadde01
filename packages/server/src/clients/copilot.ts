import { ok, ownToolNames, type Problem, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import { callDigest } from './call-digest.ts'
import { ourServerName } from './claude-tools.ts'
import type { ClientAnswer, ClientCall, ClientEvent, CodingClient, HookOrigin } from './client.ts'
import { eventNameIn, plainEvent, readBody, shortened } from './read-body.ts'

/**
 * Copilot CLI, by its hooks as version 1.0 sends and reads them under the names that begin with a
 * capital: only there a body says which event it is. An answer in its other dialect is ignored,
 * which would let the call through.
 */
export const copilot: CodingClient = {
  name: 'copilot',
  // The kernel is told the second name by the program itself.
  processNames: ['copilot', 'MainThread'],
  readsByShell: false,
  namesAgents: true,
  rewrites: 'freely',
  // Its hooks name no call: a result is joined to its request by what was asked.
  namesCalls: false,
  marksOwnCalls: true,
  briefsAfterEachTool: true,

  parse(body, origin = {}) {
    const head = readBody(Head, 'hook', body, (data) => data)
    if (!head.ok) return head
    const { session_id, agent_id: agentId, parent_agent_id: parent, cwd } = head.value
    const event = readEvent(head.value.hook_event_name, body, origin)
    if (!event.ok) return event
    return ok({
      // In hooks of a sub-agent the session is the agent itself, and its parent the real one.
      session: agentId !== undefined && parent !== undefined ? parent : session_id,
      ...(agentId === undefined ? {} : { agentId }),
      ...(cwd === undefined ? {} : { cwd }),
      event: event.value,
    } satisfies ClientCall)
  },

  render(body, answer) {
    return renderFor(eventNameIn(body), answer)
  },

  callIdWith(body, input) {
    const tool = Tool.safeParse(body)
    return tool.success ? callIdOf({ ...tool.data, tool_input: input }) : undefined
  },

  toolUseOf: () => undefined,
}

const Head = z.looseObject({
  session_id: z.string().min(1).max(200),
  hook_event_name: z.string(),
  agent_id: z.string().min(1).max(200).optional(),
  parent_agent_id: z.string().min(1).max(200).optional(),
  cwd: z.string().optional(),
})

const Tool = z.looseObject({
  session_id: z.string(),
  tool_name: z.string().min(1).max(500),
  tool_input: z.unknown(),
})
type Tool = z.infer<typeof Tool>

const Finished = Tool.extend({
  tool_result: z
    .looseObject({ result_type: z.string().optional(), text_result_for_llm: z.unknown() })
    .partial()
    .optional(),
  error: z.unknown().optional(),
})
type Finished = z.infer<typeof Finished>

function readEvent(name: string, body: unknown, origin: HookOrigin): Result<ClientEvent, Problem> {
  switch (name) {
    case 'PreToolUse':
      return readBody(Tool, name, body, (tool) => requested(tool, origin))
    case 'PostToolUse':
      return readBody(Finished, name, body, (tool) => finished(tool, origin))
    case 'PostToolUseFailure':
      return readBody(Finished, name, body, (tool) => failed(tool, origin))
    default:
      return ok(plainEvent(name))
  }
}

function requested(tool: Tool, origin: HookOrigin): ClientEvent {
  const own = ownToolIn(tool.tool_name, origin)
  const { name, server } = own === undefined ? namesIn(tool.tool_name) : { name: own }
  return {
    type: 'tool_requested',
    callId: callIdOf(tool),
    tool: name,
    ...(server === undefined ? {} : { server }),
    input: tool.tool_input,
    toUs: own !== undefined,
  }
}

function finished(tool: Finished, origin: HookOrigin): ClientEvent {
  const text = tool.tool_result?.text_result_for_llm
  return {
    type: 'tool_finished',
    callId: callIdOf(tool),
    tool: tool.tool_name,
    toUs: ownToolIn(tool.tool_name, origin) !== undefined,
    bytes: bytesOf(text),
    ...(typeof text === 'string' ? { output: text } : {}),
    exit: tool.tool_name === 'Bash' ? shellExit(text) : 'success',
  }
}

function failed(tool: Finished, origin: HookOrigin): ClientEvent {
  return {
    type: 'tool_finished',
    callId: callIdOf(tool),
    tool: tool.tool_name,
    toUs: ownToolIn(tool.tool_name, origin) !== undefined,
    bytes: bytesOf(tool.error),
    exit: 'failure',
  }
}

/**
 * The client writes how a shell call ended behind all that the command printed, so that a command
 * cannot say it in its place. Without such an end it goes on in the background and proves nothing.
 */
function shellExit(text: unknown): 'success' | 'failure' | null {
  if (typeof text !== 'string') return null
  const code = /<shellId: [^<>\n]{1,100} completed with exit code (-?\d+)>\s*$/.exec(text)?.[1]
  if (code === undefined) return null
  return code === '0' ? 'success' : 'failure'
}

/** The same for the request and the result of a call; the gateway numbers what is asked twice. */
function callIdOf({ session_id, tool_name, tool_input }: Tool): string {
  return callDigest(session_id, tool_name, tool_input)
}

function bytesOf(text: unknown): number {
  if (text === undefined || text === null) return 0
  const words = typeof text === 'string' ? text : JSON.stringify(text)
  return new TextEncoder().encode(words).length
}

const ourPrefix = `${ourServerName}-`
const ownTools: ReadonlySet<string> = new Set(ownToolNames)

/** One of our own, or one that our gateway has behind it. */
function ownToolIn(tool: string, { isFronted }: HookOrigin): string | undefined {
  const name = tool.startsWith(ourPrefix) ? tool.slice(ourPrefix.length) : ''
  return ownTools.has(name) || isFronted?.(name) === true ? name : undefined
}

/**
 * Tools of MCP servers come as `server-tool`, and none of the client's own has a dash. Names of
 * servers have dashes more often than names of tools, so that the last one is taken to part them.
 */
function namesIn(tool: string): { readonly name: string; readonly server?: string } {
  const dash = tool.lastIndexOf('-')
  if (dash <= 0 || dash === tool.length - 1) return { name: tool }
  return { name: tool.slice(dash + 1), server: tool.slice(0, dash) }
}

/** Events that take words for the model; here they stand at the top, unlike a decision. */
const telling: ReadonlySet<string> = new Set(['UserPromptSubmit', 'PostToolUse', 'SessionStart'])

function renderFor(name: string | undefined, answer: ClientAnswer): object {
  if (answer.kind === 'nothing') return {}
  if (answer.kind === 'rewrite') return name === 'PreToolUse' ? rewritten(answer.input) : {}
  const text = shortened(answer.text)
  if (name !== undefined && telling.has(name)) return { additionalContext: text }
  if (name === 'PreToolUse' && answer.kind === 'tell') return { additionalContext: text }
  if (name === 'PreToolUse') return denied(text)
  // An event that cannot be read may be a tool call: no answer means no.
  return name === undefined ? denied(text) : {}
}

/** Without a decision, so that the client's own prompts still hold (invariant 9). */
function rewritten(updatedInput: unknown): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } }
}

function denied(permissionDecisionReason: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason,
    },
  }
}
