import { describeCall, err, ok, type Problem, type Result, stateOfCaller } from '@statewright/core'
import { actorOf, type Caller } from '../../runtime/caller.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { changedAsked } from '../../runtime/self-protection.ts'
import { shellPlace } from '../../runtime/shell-place.ts'
import { workspaceFacts } from '../../runtime/workspace-facts.ts'
import { serverChildEnvironment } from '../../sandbox/environment.ts'
import type { SandboxFound } from '../../sandbox/find-sandbox.ts'
import { planCage } from '../../sandbox/plan-cage.ts'
import { type GuardedResult, runGuarded } from '../../sandbox/run-guarded.ts'
import { cageWishes } from './shell-cage.ts'

export interface ShellCall {
  readonly runId: string
  readonly caller: Caller
  readonly branch?: string
  readonly command: string
  readonly workspace: string
  /** In the workspace or the workspace itself. */
  readonly cwd: string
  readonly timeoutMs: number
  readonly outputLimit: number
  readonly signal: AbortSignal
}

export interface ShellMachine {
  readonly sandbox: SandboxFound
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Runs a shell call that was just let through, ourselves and as its state wants it: with the real
 * environment, in a sandbox where there is to be one (SH-12, SH-14), and ended before the run moves
 * on to a state that has not let it through (SH-16).
 */
export async function runShellCall(
  runtime: RuntimeParts,
  { sandbox, environment }: ShellMachine,
  call: ShellCall,
): Promise<Result<GuardedResult, Problem>> {
  const { runId, caller, branch, command, workspace, cwd, timeoutMs, outputLimit } = call
  const live = await runtime.live.get(runId)
  const state = live && stateOfCaller(live.program, live.snapshot, actorOf(caller), branch)
  if (live?.row.status !== 'running' || state === null || state === undefined) {
    return err({
      code: 'run_not_active',
      message: 'The run has moved on since the call was judged.',
    })
  }
  const place = shellPlace(runtime.settings, live, { caller, branch, startedBy: 'us' })
  const input = { command }
  const judged = describeCall({ id: '', tool: 'Bash', input }, workspaceFacts(workspace, cwd))
  const { settings, ownPorts } = runtime
  const asked = { input, call: judged, root: workspace, cwd, ownPorts }
  const wishes = cageWishes(settings, place, workspace, changedAsked(settings, asked))
  const cage = planCage(place.sandbox, sandbox, wishes)
  if (!cage.ok) return cage
  const stop = new AbortController()
  const over = runtime.commands.add({
    runId,
    caller,
    branch,
    state: state.name,
    end: async () => {
      stop.abort()
      await running
    },
  })
  const running = runGuarded(command, {
    sandbox,
    cage: cage.value,
    cwd,
    env: serverChildEnvironment(environment, {
      blocked: place.blockedEnv,
      overrides: place.envOverrides,
    }),
    timeoutMs,
    outputLimit,
    signal: AbortSignal.any([call.signal, stop.signal]),
  })
  try {
    return ok(await running)
  } finally {
    over()
  }
}
