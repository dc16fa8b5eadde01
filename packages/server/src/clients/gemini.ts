import { defined } from '@statewright/core/internal'
import { z } from 'zod'
import { ourServerName, resultFacts } from './claude-tools.ts'
import type { HookOrigin } from './client.ts'
import {
  callIdOf,
  callIdWith,
  hookClient,
  hookOutput,
  Id,
  promptReader,
  reads,
  requested,
  UnnamedTool,
} from './hook-client.ts'

const Context = z.looseObject({
  server_name: z.string().min(1).max(500),
  tool_name: z.string().min(1).max(500),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
})

const Tool = UnnamedTool.extend({ mcp_context: Context.optional() })

const Finished = Tool.extend({
  tool_response: z.looseObject({ llmContent: z.unknown(), error: z.unknown() }).partial(),
})

/** Never `ask`, which ends a run without a terminal. */
const denied = (reason: string) => ({ decision: 'deny', reason })

/** Gemini CLI, by its hooks as version 0.61 sends and reads them. */
export const gemini = hookClient({
  name: 'gemini',
  program: 'gemini',
  folders: ['.gemini'],
  processNames: ['gemini'],
  readsByShell: false,
  rewrites: 'freely',
  namesCalls: false,
  callIdWith,
  briefsAfterEachTool: true,

  head: z
    .looseObject({ session_id: Id, cwd: z.string().optional() })
    .transform(({ session_id: session, cwd }) => defined({ session, cwd })),

  events: {
    BeforeTool: reads(Tool, (call, origin) => {
      const { mcp_context: context, tool_input: input } = call
      const toUs = goesToUs(context, origin)
      return requested({
        callId: callIdOf(call),
        tool: context?.tool_name ?? call.tool_name,
        server: toUs ? undefined : context?.server_name,
        input,
        toUs,
      })
    }),
    AfterTool: reads(Finished, (call, origin) => {
      const { llmContent, error } = call.tool_response
      return {
        type: 'tool_finished',
        callId: callIdOf(call),
        tool: call.tool_name,
        toUs: goesToUs(call.mcp_context, origin),
        ...resultFacts(llmContent),
        exit: (error ?? null) !== null ? 'failure' : exitOf(call.tool_name, llmContent),
      }
    }),
    BeforeAgent: promptReader(),
    AfterAgent: 'turn_ended',
    SessionStart: 'session_started',
    SessionEnd: 'session_ended',
  },

  // Words beside a call that may run have no place in this client; its result will carry them.
  tells: ['AfterTool', 'BeforeAgent', 'SessionStart'],
  tell: (name, additionalContext) => hookOutput(name, { additionalContext }),
  denies: { BeforeTool: denied },
  denyUnreadable: denied,
  rewritten: { BeforeTool: ({ input }) => hookOutput('BeforeTool', { tool_input: input }) },

  canary: ({ session, folder, file }) => ({
    session_id: session,
    cwd: folder,
    hook_event_name: 'BeforeTool',
    tool_name: 'write_file',
    tool_input: { file_path: file, content: '' },
  }),
})

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
function exitOf(tool: string, content: unknown): 'success' | 'failure' | null {
  if (tool !== 'run_shell_command') return 'success'
  if (typeof content !== 'string') return 'failure'
  if (/^(Exit Code: (?!0$)|Signal: \d|Error: )/m.test(content)) return 'failure'
  return content.startsWith('Output: ') ? 'success' : null
}
