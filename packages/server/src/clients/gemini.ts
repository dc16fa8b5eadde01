import { ok, type Problem, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import { callDigest } from './call-digest.ts'
import { ourServerName, resultFacts } from './claude-tools.ts'
import type { ClientAnswer, ClientCall, ClientEvent, CodingClient, HookOrigin } from './client.ts'
import { eventNameIn, readBody, shortened } from './read-body.ts'

/** Gemini CLI, by its hooks as version 0.61 sends and reads them. */
export const gemini: CodingClient = {
  name: 'gemini',
  processNames: ['gemini'],
  readsByShell: false,
  rewrites: 'freely',
  // Its hooks name no call: a result is joined to its request by what was asked.
  namesCalls: false,
  briefsAfterEachTool: true,

  parse(body, origin = {}) {
    const head = readBody(Head, 'hook', body, (data) => data)
    if (!head.ok) return head
    const event = readEvent(head.value.hook_event_name, body, origin)
    if (!event.ok) return event
    const { session_id: session, cwd } = head.value
    return ok({
      session,
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
  cwd: z.string().optional(),
})

const Context = z.looseObject({
  server_name: z.string().min(1).max(500),
  tool_name: z.string().min(1).max(500),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
})

const Tool = z.looseObject({
  session_id: z.string(),
  tool_name: z.string().min(1).max(500),
  tool_input: z.unknown(),
  mcp_context: Context.optional(),
})
type Tool = z.infer<typeof Tool>

const Finished = Tool.extend({
  tool_response: z.looseObject({ llmContent: z.unknown(), error: z.unknown() }).partial(),
})

function readEvent(name: string, body: unknown, origin: HookOrigin): Result<ClientEvent, Problem> {
  switch (name) {
    case 'BeforeTool':
      return readBody(Tool, name, body, (tool) => requested(tool, origin))
    case 'AfterTool':
      return readBody(Finished, name, body, (tool) => finished(tool, origin))
    case 'BeforeAgent':
      return ok({ type: 'prompt_given' })
    case 'AfterAgent':
      return ok({ type: 'turn_ended' })
    case 'SessionStart':
      return ok({ type: 'session_started' })
    case 'SessionEnd':
      return ok({ type: 'session_ended' })
    default:
      return ok({ type: 'other' })
  }
}

function requested(tool: Tool, origin: HookOrigin): ClientEvent {
  const context = tool.mcp_context
  const toUs = goesToUs(context, origin)
  return {
    type: 'tool_requested',
    callId: callIdOf(tool),
    tool: context?.tool_name ?? tool.tool_name,
    ...(context === undefined || toUs ? {} : { server: context.server_name }),
    input: tool.tool_input,
    toUs,
  }
}

function finished(tool: z.infer<typeof Finished>, origin: HookOrigin): ClientEvent {
  const { llmContent, error } = tool.tool_response
  const hasFailed = error !== undefined && error !== null
  return {
    type: 'tool_finished',
    callId: callIdOf(tool),
    tool: tool.tool_name,
    toUs: goesToUs(tool.mcp_context, origin),
    ...resultFacts(llmContent),
    exit: hasFailed ? 'failure' : exitOf(tool, llmContent),
  }
}

/** The same for the request and the result of a call; the gateway numbers what is asked twice. */
function callIdOf({ session_id, tool_name, tool_input }: Tool): string {
  return callDigest(session_id, tool_name, tool_input)
}

/**
 * Whether a call goes to our own server. A project's settings may enter another server under our
 * name, so that only the very command counts that `install` wrote.
 */
function goesToUs(context: z.infer<typeof Context> | undefined, { gateway }: HookOrigin): boolean {
  if (context === undefined || gateway === undefined) return false
  const command = [context.command ?? '', ...(context.args ?? [])]
  return (
    context.server_name === ourServerName &&
    command.length === gateway.length &&
    command.every((word, index) => word === gateway[index])
  )
}

/**
 * The client tells how a shell call ended only in words. A command that prints such words itself
 * counts as failed, which proves nothing; the other way round it would prove too much. What begins
 * otherwise was cancelled, goes on in the background, or was cut so that its end may be missing.
 */
function exitOf({ tool_name }: Tool, content: unknown): 'success' | 'failure' | null {
  if (tool_name !== 'run_shell_command') return 'success'
  if (typeof content !== 'string') return 'failure'
  if (/^(Exit Code: (?!0$)|Signal: \d|Error: )/m.test(content)) return 'failure'
  return content.startsWith('Output: ') ? 'success' : null
}

const telling: ReadonlySet<string> = new Set(['AfterTool', 'BeforeAgent', 'SessionStart'])

function renderFor(name: string | undefined, answer: ClientAnswer): object {
  if (answer.kind === 'nothing') return {}
  if (answer.kind === 'rewrite') {
    if (name !== 'BeforeTool') return {}
    return { hookSpecificOutput: { hookEventName: name, tool_input: answer.input } }
  }
  const text = shortened(answer.text)
  if (name !== undefined && telling.has(name)) {
    return { hookSpecificOutput: { hookEventName: name, additionalContext: text } }
  }
  // Words beside a call that may run have no place in this client; its result will carry them.
  if (answer.kind === 'tell') return {}
  // Never `ask`, which ends a run without a terminal. An event that cannot be read may be a call.
  return name === undefined || name === 'BeforeTool' ? { decision: 'deny', reason: text } : {}
}
