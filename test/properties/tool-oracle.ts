import type { ToolCall } from '@statewright/core/internal'
import type { StateDefinition } from '../../packages/core/src/definition/workflow-schema.ts'
import { shellTools } from './calls.ts'

/**
 * Which calls of our generators a state may let through, written down a second time by hand. It
 * knows only the tools and commands that `calls.ts` makes.
 */
const canonical: Readonly<Record<string, string>> = {
  read_file: 'Read',
  MultiEdit: 'Edit',
  apply_patch: 'Edit',
  write_file: 'Write',
  shell: 'Bash',
  Task: 'Agent',
}

export function isShell(tool: string): boolean {
  return (shellTools as readonly string[]).includes(tool)
}

/** What the state's tool list, line limit and commands have against a call; null: nothing. */
export function faultOf(state: StateDefinition, call: ToolCall, strict: boolean): string | null {
  if (state.allowed_tools === undefined && strict) return 'no list in strict mode'
  if (isShell(call.tool)) return shellFault(state, call)
  const missing = neededTools(call).find((tool) => !isListed(state.allowed_tools, tool))
  if (missing !== undefined) return `${missing} is not listed`
  const large = call.edits?.find((edit) => edit.lines > (state.max_edit_lines ?? edit.lines))
  return large === undefined ? null : `${large.lines} lines`
}

function neededTools(call: ToolCall): readonly string[] {
  const ops = (call.edits ?? []).map((edit) => edit.op)
  if (call.tool !== 'apply_patch' || ops.length === 0) return [call.tool]
  const needs = new Set<string>()
  for (const op of ops) {
    if (op === 'edit' || op === 'delete') needs.add('Edit')
    if (op === 'create' || op === 'delete') needs.add('Write')
  }
  return [...needs]
}

function isListed(list: readonly string[] | undefined, tool: string): boolean {
  if (list === undefined || list.includes('*')) return true
  if (tool.startsWith('mcp__fs__') && list.includes('mcp__fs__*')) return true
  return list.some((entry) => (canonical[entry] ?? entry) === nameOf(tool))
}

function nameOf(tool: string): string {
  return Object.hasOwn(canonical, tool) ? (canonical[tool] ?? tool) : tool
}

function shellFault(state: StateDefinition, call: ToolCall): string | null {
  if (call.shell === undefined) return 'no command'
  const { command } = call.shell
  const list = state.allowed_tools
  const steers = command === 'echo $SECRET'
  // What nobody knows passes as well, since whoever runs it here can contain it (SH-10).
  const isContained = command.startsWith('npm test')
  const reads = isContained || command === 'cat src/a.ts' || command === 'git log -3'
  if (!isListed(list, call.tool)) {
    const byPattern =
      list?.includes('Bash(git log *)') === true && (steers || command === 'git log -3')
    const mayRead = list?.some((entry) => entry === 'Read' || entry === 'Grep') === true
    if (!byPattern && !(call.readsByShell === true && mayRead && reads)) return 'no shell'
  }
  const mayWrite = ['Edit', 'Write'].some((tool) => isListed(list, tool))
  const writes = command.startsWith('echo hi >') || command.startsWith('rm')
  if (writes && !mayWrite) return 'writes'
  if (state.allowed_commands !== undefined) {
    if (['cat', 'rm', 'sleep', '$(', 'echo hi'].some((start) => command.startsWith(start))) {
      return 'command not listed'
    }
  }
  if (state.blocked_env !== undefined && command.includes('SECRET')) return 'reads a variable'
  const isNarrow = !mayWrite || state.allowed_commands !== undefined
  const isBackground = command.endsWith('&') || call.background === true
  return isNarrow && isBackground && state.background !== true ? 'background' : null
}
