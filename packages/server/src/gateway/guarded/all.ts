import type { GuardedMachine, GuardedTool } from './guarded-tool.ts'

export const guardedToolNames = ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob'] as const

/** Our own file and shell tools, by name. */
export function guardedTools(_machine: GuardedMachine): ReadonlyMap<string, GuardedTool> {
  return new Map()
}
