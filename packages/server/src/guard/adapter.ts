import type { RunnerFacts } from '@statewright/core/internal'
import type { RuntimeSettings } from '../runtime/settings.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'

/** A way in, as data: what it can do for a call that was judged. */
export interface Adapter {
  /** As people know anyone who runs the call: a client's name, or ours. */
  readonly name: string
  /**
   * Who carries a call out: we ourselves; the client, with input that we may replace; or the client
   * as it is. What cannot be held as the plan wants is denied before anything is recorded.
   */
  readonly runs: 'itself' | 'rewritten' | 'as_it_is'
  /** How long a call may wait for a person; 0 tells the caller at once that a person is asked. */
  readonly waitsMs: number
  /** Calls of this way in that may wait at one server, where each holds a connection open. */
  readonly maxWaiting?: number
  /** The client has no reading tools of its own, so that a shell may serve (SH-10). */
  readonly readsByShell: boolean
  /** Whether results are seen by somebody of ours, or only reported (WF-31). */
  readonly results: 'observed' | 'reported'
}

/** What core is told of who would run a call. */
export interface CallFacts {
  readonly readsByShell: boolean
  readonly runner: RunnerFacts
  /** Tools besides the shell start commands as well: those of our own sessions use git. */
  readonly startsCommands: boolean
  readonly results: Adapter['results']
}

export function factsOf(
  { name, runs, readsByShell, results }: Adapter,
  settings: RuntimeSettings,
  sandbox: SandboxFound,
): CallFacts {
  // Where a client starts commands, a sandbox is a wish of strict mode (SH-14).
  const usual = runs === 'itself' || settings.strict ? 'auto' : 'off'
  const able = sandbox.kind === 'none' ? 'missing' : 'can'
  const runner: RunnerFacts = {
    name,
    environment: runs !== 'as_it_is',
    sandbox: runs === 'as_it_is' ? 'cannot' : able,
    sandboxDefault: settings.sandbox ?? usual,
  }
  return { readsByShell, runner, startsCommands: runs === 'itself', results }
}
