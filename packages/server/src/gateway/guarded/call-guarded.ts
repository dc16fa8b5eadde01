import type { CallToolResult } from '@modelcontextprotocol/server'
import type { CheckAnswer } from '../../runtime/check-call.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { judgeAndRun } from '../front/judge-forward.ts'
import { waitingNotice } from '../front/pass-on.ts'
import { refusalResult } from '../front/results.ts'
import type { Asked } from '../front/serve-front.ts'
import type { McpParts } from '../mcp-parts.ts'
import type { GuardedTool } from './guarded-tool.ts'

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
    run: async (allowed) => {
      const workspace = await workspaceOf(parts.runtime, allowed, parts.workspace)
      return tool.run(input, { workspace, allowed, signal })
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

/** The run's own workspace; without a run, the project that the server stands in. */
async function workspaceOf(
  runtime: RuntimeParts,
  { runId }: CheckAnswer,
  fallback: string,
): Promise<string> {
  if (runId === null) return fallback
  const live = await runtime.live.get(runId)
  return live?.row.workspace ?? fallback
}
