import { ok, type Problem, type Result } from '@statewright/core/internal'
import { type GuardedResult, intruderLines, runGuarded } from '../sandbox/run-guarded.ts'
import type { Guard } from './guard.ts'
import { holdCall, type StartingCall } from './hold-call.ts'

export { holdCall, shieldOf } from './hold-call.ts'

export interface CommandCall extends StartingCall {
  readonly command: string
  readonly timeoutMs: number
  readonly outputLimit: number
  readonly signal: AbortSignal
}

/** Runs a shell command that was just let through, ourselves and as its plan says. */
export async function runCommand(
  guard: Guard,
  call: CommandCall,
): Promise<Result<GuardedResult, Problem>> {
  const { command, cwd, timeoutMs, outputLimit } = call
  const held = await holdCall(guard, call)
  if (!held.ok) return held
  const { environment: env, track } = held.value
  const stop = new AbortController()
  const signal = AbortSignal.any([call.signal, stop.signal])
  const { sandbox } = guard
  let running: Promise<GuardedResult> | undefined
  const tracked = await track(async () => {
    stop.abort()
    await running
  })
  if (!tracked.ok) return tracked
  const cage = held.value.cage()
  running = runGuarded(command, { sandbox, cage, cwd, env, timeoutMs, outputLimit, signal })
  try {
    return ok(withIntruders(await running))
  } finally {
    tracked.value()
  }
}

/** Anyone who ran it must hear why a file is gone. */
function withIntruders(done: GuardedResult): GuardedResult {
  return { ...done, stderr: done.stderr + intruderLines(done.intruders) }
}
