import { defined } from '@statewright/core/internal'
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
import type { ClientEvent, HookOrigin } from './client.ts'
import {
  claudeCanary,
  claudeEvents,
  denied,
  Tool as HookTool,
  hookClient,
  hookOutput,
  Id,
  reads,
  requested,
} from './hook-client.ts'

const Tool = HookTool.extend({
  mcp_server: z.looseObject({ name: z.string(), source: z.string().optional() }).optional(),
})
const Finished = Tool.extend({
  tool_response: z.unknown().optional(),
  error: z.unknown().optional(),
  duration_ms: z.number().nonnegative().optional(),
})
const Batch = z.looseObject({
  tool_calls: z.array(Tool.extend({ tool_response: z.unknown().optional() })),
})
// A client that leaves it out, or says it otherwise, is judged all the same.
const TranscriptPath = z.string().max(4096).optional().catch(undefined)

const blocked = (reason: string) => ({ decision: 'block', reason })

/** Claude Code, by its hooks as version 2.1 sends and reads them. */
export const claudeCode = hookClient({
  name: 'claude-code',
  program: 'claude',
  folders: ['.claude'],
  processNames: ['claude', 'claude.exe'],
  readsByShell: true,
  namesAgents: true,
  rewrites: 'freely',
  transcripts: { homeFolder: '.claude', folder: 'projects', use: claudeModelUse },
  toolUseKey: 'claudecode/toolUseId',

  head: z
    .looseObject({
      session_id: Id,
      agent_id: Id.optional(),
      cwd: z.string().optional(),
      transcript_path: TranscriptPath,
      agent_transcript_path: TranscriptPath,
    })
    .transform(({ session_id: session, agent_id: agentId, cwd, ...head }) => {
      const paths = [head.transcript_path, head.agent_transcript_path].flatMap((one) => one ?? [])
      const transcriptPaths = paths.length === 0 ? undefined : paths
      return defined({ session, agentId, cwd, transcriptPaths })
    }),

  events: {
    ...claudeEvents,
    PreToolUse: reads(Tool, (call, origin) => {
      const { tool_name, tool_use_id: callId, tool_input: input, mcp_server } = call
      const toUs = isOurServer(tool_name, mcp_server, origin)
      const tool = toUs ? withoutOurPrefix(tool_name) : tool_name
      const server = toUs ? undefined : mcp_server?.name
      return requested({ callId, tool, server, input, toUs })
    }),
    PostToolUse: reads(Finished, (call, origin) => finished(call, 'success', origin)),
    PostToolUseFailure: reads(Finished, (call, origin) => finished(call, 'failure', origin)),
    PostToolBatch: reads(Batch, ({ tool_calls }, origin) => ({
      type: 'batch_finished',
      calls: tool_calls.map((call) => ({
        callId: call.tool_use_id,
        tool: call.tool_name,
        // A batch does not say where a server comes from, so that only the name can count.
        toUs: isOurServer(call.tool_name, call.mcp_server, origin),
        ran: !wasTurnedAway(call.tool_response),
      })),
    })),
    ConfigChange: reads(z.looseObject({ file_path: z.string().optional() }), ({ file_path }) => ({
      type: 'settings_changed',
      file: file_path ?? '',
    })),
  },

  tells: [
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'SessionStart',
  ],
  tell: (name, additionalContext) => hookOutput(name, { additionalContext }),
  denies: { PreToolUse: denied, ConfigChange: blocked },
  denyUnreadable: (text) => ({ ...denied(text), ...blocked(text) }),
  rewritten: {
    // Without a decision, so that the client's own prompts still hold (invariant 9).
    PreToolUse: ({ input: updatedInput, text: additionalContext }) =>
      hookOutput('PreToolUse', defined({ updatedInput, additionalContext })),
  },

  canary: claudeCanary,
})

function finished(
  call: z.infer<typeof Finished>,
  exit: 'success' | 'failure',
  origin: HookOrigin,
): ClientEvent {
  const { tool_name: tool, tool_response, error, duration_ms: durationMs } = call
  return defined({
    type: 'tool_finished' as const,
    callId: call.tool_use_id,
    tool,
    toUs: isOurServer(tool, call.mcp_server, origin),
    ...resultFacts(exit === 'success' ? tool_response : error),
    exit: exit === 'success' && goesOn(tool_response) ? null : exit,
    durationMs,
    costUsd: resultCost(tool_response),
  })
}
