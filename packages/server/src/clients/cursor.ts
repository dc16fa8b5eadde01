import { defined, isJsonObject, ownToolNames } from '@statewright/core/internal'
import { z } from 'zod'
import { ourServerName, resultFacts } from './claude-tools.ts'
import type { ClientEvent, HookOrigin } from './client.ts'
import { hookClient, Id, promptReader, reads, requested, Tool } from './hook-client.ts'

const Finished = Tool.extend({
  tool_output: z.unknown().optional(),
  duration: z.number().nonnegative().optional(),
})

/**
 * Cursor, as its documentation tells of its hooks; experimental, since no test has driven it. It
 * names its sub-agents in no hook, so the branches of a fork are worked one after the other.
 */
export const cursor = hookClient({
  name: 'cursor',
  program: 'cursor-agent',
  folders: ['.cursor'],
  processNames: ['cursor', 'Cursor', 'cursor-agent'],
  readsByShell: false,
  marksOwnCalls: true,
  briefsAfterEachTool: true,

  head: z
    .looseObject({
      conversation_id: Id,
      cwd: z.string().optional(),
      workspace_roots: z.array(z.string()).optional(),
    })
    .transform(({ conversation_id: session, cwd, workspace_roots }) =>
      defined({ session, cwd: cwd ?? workspace_roots?.[0] }),
    ),

  events: {
    preToolUse: reads(Tool, ({ tool_name, tool_use_id: callId, tool_input }, origin) => {
      const names = namesIn(tool_name)
      const toUs = isOurs(tool_name, origin)
      return requested({
        callId,
        tool: names.tool,
        server: toUs ? undefined : names.server,
        input: asJson(tool_input),
        toUs,
      })
    }),
    // How a shell call ended is nowhere promised, so that it proves nothing (WF-31).
    postToolUse: reads(Finished, (tool, origin) =>
      finished(tool, tool.tool_name === 'Shell' ? null : 'success', origin),
    ),
    postToolUseFailure: reads(Finished, (tool, origin) => finished(tool, 'failure', origin)),
    beforeSubmitPrompt: promptReader(),
    sessionStart: 'session_started',
    sessionEnd: 'session_ended',
    stop: 'turn_ended',
    subagentStop: 'agent_ended',
  },

  // Words beside a call that may run have no place in this client; its result will carry them.
  tells: ['postToolUse', 'sessionStart'],
  tell: (_name, text) => ({ additional_context: text }),
  denies: { preToolUse: denied },
  denyUnreadable: denied,
  rewritten: { preToolUse: ({ input }) => ({ permission: 'allow', updated_input: input }) },

  canary: ({ id, session, folder, file }) => ({
    conversation_id: session,
    cwd: folder,
    hook_event_name: 'preToolUse',
    tool_name: 'Write',
    tool_use_id: id,
    tool_input: { file_path: file, content: '' },
  }),
})

function finished(
  { tool_name, tool_use_id, tool_output, duration: durationMs }: z.infer<typeof Finished>,
  exit: 'success' | 'failure' | null,
  origin: HookOrigin,
): ClientEvent {
  return defined({
    type: 'tool_finished' as const,
    callId: tool_use_id,
    tool: tool_name,
    toUs: isOurs(tool_name, origin),
    ...resultFacts(tool_output),
    exit,
    durationMs,
  })
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

/** Never `ask`, which the client accepts and does not enforce. */
function denied(text: string): object {
  return { permission: 'deny', user_message: text, agent_message: text }
}
