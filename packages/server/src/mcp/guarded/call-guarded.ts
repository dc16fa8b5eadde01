import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { urlQuestion } from '../front/ask-by-url.ts'
import { guardedCall } from '../front/guarded-call.ts'
import { refusalResult } from '../front/results.ts'
import { type FrontRequest, mcpAdapter, mcpCall } from '../front/serve-front.ts'
import type { McpOptions } from '../mcp-options.ts'
import type { GuardedOutput, GuardedTool } from './guarded-tool.ts'

/** Judges a call to one of our own file and shell tools, and does what it asks for. */
export async function callGuarded(
  options: McpOptions,
  request: FrontRequest,
  tool: GuardedTool,
  input: unknown,
): Promise<CallToolResult | InputRequiredResult> {
  const adapter = mcpAdapter(options, { name: 'statewright', runs: 'itself' }, request)
  const call = { ...mcpCall(request), tool: tool.name, input, isShielded: true }
  const done = await guardedCall(adapter, call, async (open) => {
    const workspace = open.workspace ?? options.workspace
    const { signal } = call
    const result =
      open.runId === null ? withoutRun : await tool.run(input, { open, workspace, signal })
    const bytes = Buffer.byteLength(result.text)
    const exit = result.isError ? 'failure' : 'success'
    return { value: result, outcome: { bytes, exit, output: result.text } }
  })
  if (!done.ok) return urlQuestion(request, done.error) ?? refusalResult(done.error)
  const { text, isError } = done.value.value
  const notices = done.value.notices.map((notice) => ({ type: 'text' as const, text: notice }))
  return { content: [{ type: 'text', text }, ...notices], ...(isError ? { isError: true } : {}) }
}

/** What we do ourselves is held to a run's limits, environment and sandbox, or not done at all. */
const withoutRun: GuardedOutput = {
  text: 'no_active_run: these tools work for a run only; load one with statewright_load_workflow.',
  isError: true,
}
