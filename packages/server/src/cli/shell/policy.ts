import {
  err,
  ok,
  type Result,
  type ShellRules,
  splitCommandWords,
} from '@statewright/core/internal'
import { z } from 'zod'

const ShellPolicy = z.strictObject({
  mode: z.literal('read-only').optional(),
  allowed_commands: z.array(z.string()).optional(),
  blocked_env: z.array(z.string()).optional(),
  background: z.boolean().optional(),
})

/** Reads a policy of `shell check` and makes it the rules that a state would have. */
export function readShellPolicy(value: unknown): Result<ShellRules, string> {
  const parsed = ShellPolicy.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue?.path.join('.') ?? ''
    return err(`The policy cannot be read: ${issue?.message ?? ''}${place && ` at ${place}`}.`)
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
