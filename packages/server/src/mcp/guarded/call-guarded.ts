import type { CallToolResult } from '@modelcontextprotocol/server'
import { guardedCall } from '../front/guarded-call.ts'
import { refusalResult } from '../front/results.ts'
import { type Asked, mcpAdapter, mcpCall } from '../front/serve-front.ts'
import type { McpOptions } from '../mcp-options.ts'
import type { GuardedGiven, GuardedTool } from './guarded-tool.ts'

/** Judges a call to one of our own file and shell tools, and does what it asks for. */
export async function callGuarded(
  options: McpOptions,
  asked: Asked,
  tool: GuardedTool,
  input: unknown,
): Promise<CallToolResult> {
  const adapter = mcpAdapter(options, { name: 'statewright', runs: 'itself' })
  const call = { ...mcpCall(asked), tool: tool.name, input }
  const done = await guardedCall(adapter, call, async (open) => {
    const workspace = open.workspace ?? options.workspace
    const { signal } = call
    const given =
      open.runId === null ? withoutRun : await tool.run(input, { open, workspace, signal })
    const bytes = Buffer.byteLength(given.text)
    const exit = given.isError ? 'failure' : 'success'
    return { given, outcome: { bytes, exit, output: given.text } }
  })
  if (!done.ok) return refusalResult(done.error)
  const { text, isError } = done.value.given
  const notices = done.value.notices.map((notice) => ({ type: 'text' as const, text: notice }))
  return { content: [{ type: 'text', text }, ...notices], ...(isError ? { isError: true } : {}) }
}

/** What we do ourselves is held to a run's limits, environment and sandbox, or not done at all. */
const withoutRun: GuardedGiven = {
  text: 'no_active_run: these tools work for a run only; load one with statewright_load_workflow.',
  isError: true,
}
