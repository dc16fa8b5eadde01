import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { splitCommandWords } from './command-words.ts'
import type { ShellRules } from './rules.ts'

/**
 * What may be run, in the words of a state. An empty policy lets everything pass.
 *
 * @example
 * import { judgeCommand, type ShellPolicy } from '@statewright/core/shell'
 *
 * const tests: ShellPolicy = { allowed_commands: ['npm test'], blocked_env: ['NPM_TOKEN'] }
 * console.log(judgeCommand('npm test', tests).decision) // allow
 * console.log(judgeCommand('npm publish', tests).decision) // deny
 */
export const ShellPolicy = z.strictObject({
  mode: z
    .literal('read-only')
    .optional()
    .describe('Nothing that lasts may change: no file, no cluster, no repository.'),
  allowed_commands: z
    .array(z.string())
    .optional()
    .describe('Only these, each with anything after it: "git log" allows "git log -3".'),
  blocked_env: z.array(z.string()).optional().describe('Variables that may not be read.'),
  background: z
    .boolean()
    .optional()
    .describe('Whether work may keep running in the background; true when left out.'),
})
export type ShellPolicy = z.infer<typeof ShellPolicy>

/** The rules that a state with such a policy would have. */
export function readShellPolicy(value: unknown): Result<ShellRules, string> {
  const parsed = ShellPolicy.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.join('.') ?? ''
    return err(`The policy cannot be read: ${issue?.message ?? ''}${path && ` at ${path}`}.`)
  }
  const { mode, allowed_commands, blocked_env, background } = parsed.data
  return ok({
    readOnly: mode === 'read-only',
    allowedCommands: allowed_commands?.map(splitCommandWords) ?? null,
    blockedEnv: blocked_env ?? [],
    background: background !== false,
    onlyReading: false,
    listedMayChange: false,
    guarded: false,
    patterns: null,
  })
}
