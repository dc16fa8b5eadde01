import { defined, ownToolNames } from '@statewright/core/internal'
import { z } from 'zod'
import { ourServerName } from './claude-tools.ts'
import type { ClientEvent, HookOrigin } from './client.ts'
import {
  callIdOf,
  callIdWith,
  claudeCanary,
  claudeEvents,
  denied,
  hookClient,
  hookOutput,
  Id,
  reads,
  requested,
  UnnamedTool,
} from './hook-client.ts'

const Finished = UnnamedTool.extend({
  tool_result: z
    .looseObject({ result_type: z.string().optional(), text_result_for_llm: z.unknown() })
    .partial()
    .optional(),
  error: z.unknown().optional(),
})

/**
 * Copilot CLI, by its hooks as version 1.0 sends and reads them under the names that begin with a
 * capital: only there a body says which event it is. An answer in its other dialect is ignored,
 * which would let the call through.
 */
export const copilot = hookClient({
  name: 'copilot',
  program: 'copilot',
  folders: ['.copilot'],
  // The kernel is told the second name by the program itself.
  processNames: ['copilot', 'MainThread'],
  readsByShell: false,
  namesAgents: true,
  rewrites: 'freely',
  namesCalls: false,
  callIdWith,
  marksOwnCalls: true,
  briefsAfterEachTool: true,

  head: z
    .looseObject({
      session_id: Id,
      agent_id: Id.optional(),
      parent_agent_id: Id.optional(),
      cwd: z.string().optional(),
    })
    .transform(({ session_id, agent_id: agentId, parent_agent_id: parent, cwd }) => {
      // In hooks of a sub-agent the session is the agent itself, and its parent the real one.
      const session = agentId !== undefined && parent !== undefined ? parent : session_id
      return defined({ session, agentId, cwd })
    }),

  events: {
    ...claudeEvents,
    PreToolUse: reads(UnnamedTool, (tool, origin) => {
      const own = ownToolIn(tool.tool_name, origin)
      const { name, server } =
        own === undefined ? namesIn(tool.tool_name) : { name: own, server: undefined }
      const toUs = own !== undefined
      const callId = callIdOf(tool)
      const input = tool.tool_input
      return requested({ callId, tool: name, server, input, toUs })
    }),
    PostToolUse: reads(Finished, (tool, origin) => {
      const text = tool.tool_result?.text_result_for_llm
      const exit = tool.tool_name === 'Bash' ? shellExit(text) : 'success'
      const output = typeof text === 'string' ? { output: text } : {}
      return { ...finished(tool, origin), bytes: bytesOf(text), ...output, exit }
    }),
    PostToolUseFailure: reads(Finished, (tool, origin) => ({
      ...finished(tool, origin),
      bytes: bytesOf(tool.error),
      exit: 'failure',
    })),
  },

  tells: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SessionStart'],
  // It stands at the top, unlike a decision.
  tell: (_name, additionalContext) => ({ additionalContext }),
  denies: { PreToolUse: denied },
  denyUnreadable: denied,
  // Without a decision, so that the client's own prompts still hold (invariant 9).
  rewritten: {
    PreToolUse: ({ input: updatedInput }) => hookOutput('PreToolUse', { updatedInput }),
  },

  canary: claudeCanary,
})

function finished(tool: z.infer<typeof Finished>, origin: HookOrigin) {
  return {
    type: 'tool_finished',
    callId: callIdOf(tool),
    tool: tool.tool_name,
    toUs: ownToolIn(tool.tool_name, origin) !== undefined,
  } satisfies Partial<ClientEvent>
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
function namesIn(tool: string): { readonly name: string; readonly server?: string | undefined } {
  const dash = tool.lastIndexOf('-')
  if (dash <= 0 || dash === tool.length - 1) return { name: tool }
  return { name: tool.slice(dash + 1), server: tool.slice(0, dash) }
}
