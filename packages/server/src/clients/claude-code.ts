import { ok, type Problem, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import {
  goesOn,
  isOurServer,
  resultCost,
  resultFacts,
  wasTurnedAway,
  withoutOurPrefix,
} from './claude-tools.ts'
import { claudeModelUse } from './claude-transcript.ts'
import type {
  ClientAnswer,
  ClientCall,
  ClientEvent,
  CodingClient,
  HookOrigin,
  SeenCall,
} from './client.ts'
import { eventNameIn, plainEvent, readBody, shortened } from './read-body.ts'

/** Claude Code, by its hooks as version 2.1 sends and reads them. */
export const claudeCode: CodingClient = {
  name: 'claude-code',
  processNames: ['claude', 'claude.exe'],
  readsByShell: true,
  namesAgents: true,
  rewrites: 'freely',
  transcripts: { homeFolder: '.claude', folder: 'projects', use: claudeModelUse },

  parse(body, origin = {}) {
    const head = readBody(Head, 'hook', body, (data) => data)
    if (!head.ok) return head
    const event = readEvent(head.value.hook_event_name, body, origin)
    if (!event.ok) return event
    const { session_id: session, agent_id: agentId, cwd } = head.value
    const { transcript_path, agent_transcript_path } = head.value
    const transcriptPaths = [transcript_path, agent_transcript_path].flatMap((one) => one ?? [])
    return ok({
      session,
      ...(agentId === undefined ? {} : { agentId }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(transcriptPaths.length === 0 ? {} : { transcriptPaths }),
      event: event.value,
    } satisfies ClientCall)
  },

  render(body, answer) {
    return renderFor(eventNameIn(body), answer)
  },

  toolUseOf(meta) {
    const id = Object.hasOwn(meta, 'claudecode/toolUseId') ? meta['claudecode/toolUseId'] : null
    return typeof id === 'string' && id !== '' ? id : undefined
  },
}

const Head = z.looseObject({
  session_id: z.string().min(1).max(200),
  hook_event_name: z.string(),
  agent_id: z.string().min(1).max(200).optional(),
  cwd: z.string().optional(),
  // A client that leaves them out, or says them otherwise, is judged all the same.
  transcript_path: z.string().max(4096).optional().catch(undefined),
  agent_transcript_path: z.string().max(4096).optional().catch(undefined),
})

const Tool = z.looseObject({
  tool_name: z.string().min(1).max(500),
  tool_use_id: z.string().min(1).max(200),
  tool_input: z.unknown(),
  mcp_server: z.looseObject({ name: z.string(), source: z.string().optional() }).optional(),
})
type Tool = z.infer<typeof Tool>

const Finished = Tool.extend({
  tool_response: z.unknown().optional(),
  error: z.unknown().optional(),
  duration_ms: z.number().nonnegative().optional(),
})

const ConfigChange = z.looseObject({ file_path: z.string().optional() })
const Batch = z.looseObject({
  tool_calls: z.array(Tool.extend({ tool_response: z.unknown().optional() })),
})

function readEvent(name: string, body: unknown, origin: HookOrigin): Result<ClientEvent, Problem> {
  switch (name) {
    case 'PreToolUse':
      return readBody(Tool, name, body, (tool) => requested(tool, origin))
    case 'PostToolUse':
      return readBody(Finished, name, body, (tool) => finished(tool, 'success', origin))
    case 'PostToolUseFailure':
      return readBody(Finished, name, body, (tool) => finished(tool, 'failure', origin))
    case 'PostToolBatch':
      return readBody(Batch, name, body, ({ tool_calls }) => ({
        type: 'batch_finished',
        calls: tool_calls.map((call) => seen(call, origin)),
      }))
    case 'ConfigChange':
      return readBody(ConfigChange, name, body, ({ file_path }) => ({
        type: 'settings_changed',
        file: file_path ?? '',
      }))
    default:
      return ok(plainEvent(name))
  }
}

function requested(tool: Tool, origin: HookOrigin): ClientEvent {
  const toUs = isOurServer(tool.tool_name, tool.mcp_server, origin)
  const server = toUs ? undefined : tool.mcp_server?.name
  return {
    type: 'tool_requested',
    callId: tool.tool_use_id,
    tool: toUs ? withoutOurPrefix(tool.tool_name) : tool.tool_name,
    ...(server === undefined ? {} : { server }),
    input: tool.tool_input,
    toUs,
  }
}

function finished(
  tool: z.infer<typeof Finished>,
  exit: 'success' | 'failure',
  origin: HookOrigin,
): ClientEvent {
  const { tool_name, tool_response, error, duration_ms: durationMs } = tool
  const costUsd = resultCost(tool_response)
  return {
    type: 'tool_finished',
    callId: tool.tool_use_id,
    tool: tool_name,
    toUs: isOurServer(tool_name, tool.mcp_server, origin),
    ...resultFacts(exit === 'success' ? tool_response : error),
    exit: exit === 'success' && goesOn(tool_response) ? null : exit,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(costUsd === undefined ? {} : { costUsd }),
  }
}

function seen(call: z.infer<typeof Batch>['tool_calls'][number], origin: HookOrigin): SeenCall {
  return {
    callId: call.tool_use_id,
    tool: call.tool_name,
    // A batch does not say where a server comes from, so that only the name can count.
    toUs: isOurServer(call.tool_name, call.mcp_server, origin),
    ran: !wasTurnedAway(call.tool_response),
  }
}

/** Events that take words for the model under exactly this name. */
const telling: ReadonlySet<string> = new Set([
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'SessionStart',
])

function renderFor(name: string | undefined, answer: ClientAnswer): object {
  if (answer.kind === 'nothing') return {}
  if (answer.kind === 'rewrite') return name === 'PreToolUse' ? rewritten(answer) : {}
  const text = shortened(answer.text)
  if (name !== undefined && telling.has(name)) return told(name, text)
  if (name === 'ConfigChange')
    return answer.kind === 'tell' ? {} : { decision: 'block', reason: text }
  if (name === 'PreToolUse') return answer.kind === 'tell' ? told(name, text) : denied(text)
  // An event that cannot be read may be a tool call: no answer means no.
  if (name === undefined) return { ...denied(text), decision: 'block', reason: text }
  return {}
}

function told(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}

/** Without a decision, so that the client's own prompts still hold (invariant 9). */
function rewritten({ input, text }: Extract<ClientAnswer, { kind: 'rewrite' }>): object {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput: input,
      ...(text === undefined ? {} : { additionalContext: text }),
    },
  }
}

function denied(permissionDecisionReason: string): object {
  return {
    hookSpecificOutput: {
      // Without this name the client voids the answer, which would let the call through.
      hookEventName: 'PreToolUse',
      // An ask of ours is parked and told as a denial: clients treat a native ask too differently.
      permissionDecision: 'deny',
      permissionDecisionReason,
    },
  }
}
