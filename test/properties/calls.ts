import type { ToolCall } from '@statewright/core/internal'
import { analyzeShell } from '../../packages/core/src/shell/analyze.ts'
import { pick } from './pick.ts'

/** Tool calls as clients would send them, with the facts an adapter reads from their input. */

export const files = [
  'src/a.ts',
  'src/b.ts',
  'doc.md',
  'pb/x.js',
  'package.json',
  '../out',
] as const

export const commands = [
  'npm test',
  'git log -3',
  'cat src/a.ts',
  'echo hi > src/out.ts',
  'rm doc.md',
  'npm test || true',
  'echo $SECRET',
  'sleep 1 &',
  '$(',
  'npm test',
  'npm test',
] as const

const findings = new Map(commands.map((command) => [command, analyzeShell(command)]))

export const editTools = ['Edit', 'MultiEdit', 'apply_patch', 'Write', 'write_file'] as const
export const shellTools = ['Bash', 'shell', 'BASH'] as const
export const agentTools = ['Agent', 'Task'] as const
const otherTools = [
  'Read',
  'read_file',
  'Grep',
  'WebFetch',
  'mcp__fs__read',
  'mcp__fs__write',
  'mcp__other__Edit',
  'resend-email',
  'statewright_transition',
  'constructor',
  '__proto__',
] as const
const tools = [
  ...editTools,
  ...editTools,
  ...shellTools,
  ...shellTools,
  ...otherTools,
  ...editTools,
  ...agentTools,
]

export interface CallBy {
  readonly tool: number
  readonly input: number
  readonly more: number
}

/** A call without its id. Calls with the same input have the same hash. */
export function callOf(by: CallBy): Omit<ToolCall, 'id'> {
  const tool = pick(tools, by.tool)
  const facts = factsOf(tool, by)
  const argsHash = `${tool}:${JSON.stringify(facts).length}:${by.input % 5}`
  return { tool, argsHash, ...facts }
}

function factsOf(tool: string, by: CallBy): Partial<ToolCall> {
  if (isOneOf(editTools, tool)) return editFacts(tool, by)
  if (isOneOf(shellTools, tool)) {
    const shell = findings.get(pick(commands, by.input))
    return {
      ...(shell === undefined || by.more % 13 === 12
        ? { unreadable: { phrase: 'command_unreadable' } }
        : { shell }),
      ...(by.more % 5 === 4 ? { background: true } : {}),
      ...(by.more % 3 === 2 ? { readsByShell: true } : {}),
    }
  }
  if (tool === 'resend-email') {
    return { mail: { messages: [{ from: null, recipients: ['ann@example.com'] }] } }
  }
  return tool === 'statewright_transition' ? { toUs: by.more % 3 !== 0 } : {}
}

function editFacts(tool: string, by: CallBy): Partial<ToolCall> {
  if (by.more % 17 === 16) return { unreadable: { phrase: 'edit_holds_no_patch' } }
  const isPatch = tool === 'apply_patch'
  const op = tool.toLowerCase().startsWith('write') ? 'write' : 'edit'
  const first = {
    path: pick(files, by.input),
    op: isPatch ? pick(['edit', 'create', 'delete'] as const, by.more) : op,
    lines: pick([1, 5, 30, 10], by.more),
  } as const
  if (!isPatch || by.more % 2 === 0) return { edits: [first] }
  return { edits: [first, { ...first, path: pick(files, by.input + 1), op: 'edit' }] }
}

export function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
