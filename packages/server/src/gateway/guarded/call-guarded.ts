import type { CallToolResult } from '@modelcontextprotocol/server'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { judgeAndRun } from '../front/judge-forward.ts'
import { waitingNotice } from '../front/pass-on.ts'
import { refusalResult } from '../front/results.ts'
import type { Asked } from '../front/serve-front.ts'
import type { McpParts } from '../mcp-parts.ts'
import type { GuardedGiven, GuardedTool } from './guarded-tool.ts'

/** Judges a call to one of our own file and shell tools, and does what it asks for. */
export async function callGuarded(
  parts: McpParts,
  asked: Asked,
  tool: GuardedTool,
  input: unknown,
): Promise<CallToolResult> {
  const { signal, _meta: meta } = asked.context.mcpReq
  const done = await judgeAndRun(parts, {
    from: asked.from,
    meta,
    tool: tool.name,
    input,
    signal,
    onStillWaiting: waitingNotice(asked),
    run: async ({ runId }) => {
      if (runId === null) return withoutRun
      const workspace = await workspaceOf(parts.runtime, runId, parts.workspace)
      return tool.run(input, { runId, caller: asked.from.caller, workspace, signal })
    },
    outcome: ({ text, isError }) => ({
      bytes: Buffer.byteLength(text),
      exit: isError ? 'failure' : 'success',
    }),
  })
  if (done.kind === 'refused') return refusalResult(done.refusal)
  const { text, isError } = done.given
  const notices = done.notices.map((notice) => ({ type: 'text' as const, text: notice }))
  return { content: [{ type: 'text', text }, ...notices], ...(isError ? { isError: true } : {}) }
}

/** What we do ourselves is held to a run's limits, environment and sandbox, or not done at all. */
const withoutRun: GuardedGiven = {
  text: 'no_active_run: these tools work for a run only; load one with statewright_load_workflow.',
  isError: true,
}

/** The run's own workspace, else the project that the server stands in. */
async function workspaceOf(
  runtime: RuntimeParts,
  runId: string,
  fallback: string,
): Promise<string> {
  const live = await runtime.live.get(runId)
  return live?.row.workspace ?? fallback
}
