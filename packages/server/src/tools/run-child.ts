import { ok, type Problem, type Result } from '@statewright/core/internal'
import type { PathShield } from '../base/key-files.ts'
import type { Cage } from '../sandbox/cage.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { intruderLines, runGuarded } from '../sandbox/run-guarded.ts'
import { BoundedOutput } from './bounded-output.ts'

/** A command that is run to its end, with everything that bounds it. */
export interface ChildWish {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** All that it is given: nothing of our own environment is added. */
  readonly environment: Readonly<Record<string, string>>
  readonly input?: string
  readonly timeoutMs: number
  readonly outputBytes: number
  readonly signal?: AbortSignal | undefined
  /** Told of what it prints while it runs. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined
}

export interface ChildOutput {
  /** What it printed on both outputs, in the order in which it reached us. */
  readonly text: string
  readonly bytes: number
}

export type ChildEnd =
  | { readonly type: 'exited'; readonly code: number; readonly output: ChildOutput }
  | { readonly type: 'timed_out'; readonly output: ChildOutput }
  | { readonly type: 'canceled'; readonly output: ChildOutput }
  | { readonly type: 'not_started'; readonly message: string }

/** How commands are started: the one place that knows whether there is a sandbox. */
export type RunChild = (wish: ChildWish) => Promise<ChildEnd>

/** How the commands of one tool call are run. */
export interface CallCommands {
  readonly runChild: RunChild
  /** All that they know of our environment. */
  readonly environment: Readonly<Record<string, string>>
  /** What file tools may not open. */
  readonly shield: PathShield
}

/**
 * Runs commands in a process group of their own, in a cage where one is wanted, and leaves nothing
 * of them behind: a call that is over must not go on writing in the background.
 */
export function childRunner(options: {
  readonly sandbox: SandboxFound
  /** Who ends it when we are killed meanwhile. */
  readonly owner?: string
  /** Made again for each command, since what it keeps is looked up on the disk. */
  readonly planCage?: (cwd: string) => Result<Cage | null, Problem>
}): RunChild {
  const planCage = options.planCage ?? withoutCage
  return async (wish) => {
    if (isStopped(wish)) return { type: 'canceled', output: { text: '', bytes: 0 } }
    const cage = planCage(wish.cwd)
    if (!cage.ok) return { type: 'not_started', message: cage.error.message }
    const output = new BoundedOutput(wish.outputBytes)
    const done = await runGuarded(wish.argv, {
      sandbox: options.sandbox,
      cage: cage.value,
      cwd: wish.cwd,
      env: wish.environment,
      timeoutMs: wish.timeoutMs,
      outputLimit: 0,
      ...(options.owner === undefined ? {} : { owner: options.owner }),
      onOutput: (chunk) => {
        output.add(chunk)
        wish.onOutput?.(chunk)
      },
      ...(wish.signal === undefined ? {} : { signal: wish.signal }),
      ...(wish.input === undefined ? {} : { input: wish.input }),
    })
    const aside = intruderLines(done.intruders)
    const printed = { text: output.text() + aside, bytes: output.bytes }
    if (done.ended === 'timeout') return { type: 'timed_out', output: printed }
    if (done.ended === 'stopped') {
      // Ended by us since it made what must not be: news for the model, unlike a stop.
      const isRefused = aside !== '' && !isStopped(wish)
      return isRefused
        ? { type: 'exited', code: killedCode, output: printed }
        : { type: 'canceled', output: printed }
    }
    // Nothing of the command's own is kept there, so that these words can only be ours.
    if (done.stderr !== '') return { type: 'not_started', message: done.stderr.trim() }
    return { type: 'exited', code: done.exit ?? 0, output: printed }
  }
}

function isStopped({ signal }: ChildWish): boolean {
  return signal?.aborted === true
}

/** As a shell tells of a command that was killed. */
const killedCode = 137

function withoutCage(): Result<null, Problem> {
  return ok(null)
}
