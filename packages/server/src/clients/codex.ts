import { ok, type Problem, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import { isOurServer, resultFacts, withoutOurPrefix } from './claude-tools.ts'
import type { ClientAnswer, ClientCall, ClientEvent, CodingClient, HookOrigin } from './client.ts'
import { eventNameIn, plainEvent, readBody, shortened } from './read-body.ts'

/**
 * Codex, by its hooks as version 0.166 sends and reads them. One field too many in an answer voids
 * all of it, which would let the call through: answers here have exactly what its schema names.
 */
export const codex: CodingClient = {
  name: 'codex',
  processNames: ['codex'],
  readsByShell: true,
  namesAgents: true,
  rewrites: 'with_allow',
  briefsAfterEachTool: true,

  parse(body, origin = {}) {
    const head = readBody(Head, 'hook', body, (data) => data)
    if (!head.ok) return head
    const { session_id: session, agent_id: agentId, cwd, hook_event_name: name } = head.value
    const event = readEvent(name, body, origin)
    if (!event.ok) return event
    return ok({
      session,
      ...(agentId === undefined ? {} : { agentId }),
      ...(cwd === undefined ? {} : { cwd }),
      event: event.value,
    } satisfies ClientCall)
  },

  render(body, answer) {
    return renderFor(eventNameIn(body), answer)
  },

  toolUseOf(meta) {
    const id = Object.hasOwn(meta, 'callId') ? meta.callId : undefined
    return typeof id === 'string' && id !== '' ? id : undefined
  },
}

const Head = z.looseObject({
  session_id: z.string().min(1).max(200),
  hook_event_name: z.string(),
  agent_id: z.string().min(1).max(200).optional(),
  // Where this very call would run, even when the model asked for another folder.
  cwd: z.string().optional(),
})

const Tool = z.looseObject({
  tool_name: z.string().min(1).max(500),
  tool_use_id: z.string().min(1).max(200),
  tool_input: z.unknown(),
})
type Tool = z.infer<typeof Tool>

const Finished = Tool.extend({ tool_response: z.unknown().optional() })

function readEvent(name: string, body: unknown, origin: HookOrigin): Result<ClientEvent, Problem> {
  switch (name) {
    case 'PreToolUse':
      return readBody(Tool, name, body, (tool) => requested(tool, origin))
    case 'PostToolUse':
      return readBody(Finished, name, body, (tool) => finished(tool, origin))
    default:
      return ok(plainEvent(name))
  }
}

function requested({ tool_name, tool_use_id, tool_input }: Tool, origin: HookOrigin): ClientEvent {
  const toUs = isOurServer(tool_name, undefined, origin)
  return {
    type: 'tool_requested',
    callId: tool_use_id,
    tool: toUs ? withoutOurPrefix(tool_name) : tool_name,
    input: tool_input,
    toUs,
  }
}

function finished(
  { tool_name, tool_use_id, tool_response }: z.infer<typeof Finished>,
  origin: HookOrigin,
): ClientEvent {
  return {
    type: 'tool_finished',
    callId: tool_use_id,
    tool: tool_name,
    toUs: isOurServer(tool_name, undefined, origin),
    ...resultFacts(tool_response),
    exit: exitOf(tool_name, tool_response),
  }
}

/**
 * A shell's result is told without its exit code, so that it proves nothing: taking it for a
 * success would make evidence of a test that failed. A patch begins with its code, and other tools
 * have no result at all when they fail.
 */
function exitOf(tool: string, response: unknown): 'success' | 'failure' | null {
  if (tool === 'Bash') return null
  if (tool !== 'apply_patch' || typeof response !== 'string') return 'success'
  const code = /^Exit code: (\d+)/.exec(response)?.[1]
  return code === undefined || code === '0' ? 'success' : 'failure'
}

/** Events that take words for the model under exactly this name. */
const telling: ReadonlySet<string> = new Set(['UserPromptSubmit', 'PostToolUse', 'SessionStart'])

function renderFor(name: string | undefined, answer: ClientAnswer): object {
  if (answer.kind === 'nothing') return {}
  if (answer.kind === 'rewrite') return name === 'PreToolUse' ? rewritten(answer.input) : {}
  const text = shortened(answer.text)
  if (name !== undefined && telling.has(name)) return told(name, text)
  if (name === 'PreToolUse') return answer.kind === 'tell' ? told(name, text) : denied(text)
  // An event that cannot be read may be a tool call: no answer means no. A block of any other
  // event would not be: one of Stop makes the client go on for ever.
  if (name === undefined) return { decision: 'block', reason: text }
  return {}
}

function told(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}

/**
 * The client takes another input only together with an allow, which waives its own prompt: it is
 * asked for by configuration, never by default.
 */
function rewritten(updatedInput: unknown): object {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput,
    },
  }
}

function denied(permissionDecisionReason: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      // The client runs the call on an ask, so that ours is parked and told as a denial.
      permissionDecision: 'deny',
      permissionDecisionReason,
    },
  }
}
