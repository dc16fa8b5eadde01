import { defined } from '@statewright/core/internal'
import { z } from 'zod'
import { isOurServer, resultFacts, withoutOurPrefix } from './claude-tools.ts'
import {
  claudeCanary,
  claudeEvents,
  denied,
  hookClient,
  hookOutput,
  Id,
  reads,
  Tool,
} from './hook-client.ts'

/**
 * Codex, by its hooks as version 0.166 sends and reads them. One field too many in an answer voids
 * all of it, which would let the call through: answers here have exactly what its schema names.
 */
export const codex = hookClient({
  name: 'codex',
  program: 'codex',
  folders: ['.codex'],
  processNames: ['codex'],
  readsByShell: true,
  namesAgents: true,
  rewrites: 'with_allow',
  briefsAfterEachTool: true,
  toolUseKey: 'callId',

  head: z
    .looseObject({
      session_id: Id,
      agent_id: Id.optional(),
      // Where this very call would run, even when the model asked for another folder.
      cwd: z.string().optional(),
    })
    .transform(({ session_id: session, agent_id: agentId, cwd }) =>
      defined({ session, agentId, cwd }),
    ),

  events: {
    ...claudeEvents,
    PreToolUse: reads(Tool, ({ tool_name, tool_use_id, tool_input }, origin) => {
      const toUs = isOurServer(tool_name, undefined, origin)
      return {
        type: 'tool_requested',
        callId: tool_use_id,
        tool: toUs ? withoutOurPrefix(tool_name) : tool_name,
        input: tool_input,
        toUs,
      }
    }),
    PostToolUse: reads(
      Tool.extend({ tool_response: z.unknown().optional() }),
      ({ tool_name, tool_use_id, tool_response }, origin) => ({
        type: 'tool_finished',
        callId: tool_use_id,
        tool: tool_name,
        toUs: isOurServer(tool_name, undefined, origin),
        ...resultFacts(tool_response),
        exit: exitOf(tool_name, tool_response),
      }),
    ),
  },

  tells: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SessionStart'],
  tell: (name, additionalContext) => hookOutput(name, { additionalContext }),
  denies: { PreToolUse: denied },
  // A block of any other event would not be right: one of Stop makes the client go on for ever.
  denyUnreadable: (reason) => ({ decision: 'block', reason }),
  rewritten: {
    // The client takes another input only together with an allow, which waives its own prompt: it
    // is asked for by configuration, never by default.
    PreToolUse: ({ input: updatedInput }) =>
      hookOutput('PreToolUse', { permissionDecision: 'allow', updatedInput }),
  },

  canary: claudeCanary,
})

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
