import { describeCall, err, ok, type Problem, type Result, stateOfCaller } from '@statewright/core'
import { cageWishes } from '../gateway/exec/shell-cage.ts'
import type { Variables } from '../orchestrator/children/environment.ts'
import {
  type CallCommands,
  type ChildWish,
  childRunner,
} from '../orchestrator/children/run-child.ts'
import type { JudgedBy, ToolRunRequest } from '../orchestrator/ports.ts'
import { actorOf } from '../runtime/caller.ts'
import { groundOf } from '../runtime/ground.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { changedAsked } from '../runtime/self-protection.ts'
import { type ShellPlace, shellPlace } from '../runtime/shell-place.ts'
import { workspaceFacts } from '../runtime/workspace-facts.ts'
import { serverChildEnvironment } from '../sandbox/environment.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { planCage } from '../sandbox/plan-cage.ts'

export interface SessionMachine {
  readonly runtime: RuntimeParts
  readonly sandbox: SandboxFound
  readonly environment: Variables
  /** Who ends what is left of commands when we are killed. */
  readonly owner?: string
}

/**
 * How the commands of a session's tools are run: as a shell call of the gateway would be in the
 * same state (SH-12, SH-14, SH-16). The cage holds what the decision may have missed.
 */
export function sessionCommands(machine: SessionMachine) {
  return async (request: ToolRunRequest): Promise<Result<CallCommands, Problem>> => {
    const { judgedBy, projectPath } = request
    if (judgedBy === null) {
      const { settings } = machine.runtime
      // No run, and so nobody who could agree to a change of what runs later.
      const mayChange = groundOf(settings, projectPath).asked.map(({ path }) => path)
      return ok(commandsIn(machine, unboundPlace(machine), projectPath, mayChange))
    }
    return boundCommands(machine, request, judgedBy)
  }
}

async function boundCommands(
  machine: SessionMachine,
  request: ToolRunRequest,
  { runId, caller }: JudgedBy,
): Promise<Result<CallCommands, Problem>> {
  const { runtime } = machine
  const { settings, ownPorts, commands } = runtime
  const { name, arguments: input, projectPath: root } = request
  const live = await runtime.live.get(runId)
  const state = live && stateOfCaller(live.program, live.snapshot, actorOf(caller))
  if (live?.row.status !== 'running' || state === null || state === undefined) {
    const message = 'The run has moved on since the call was judged.'
    return err({ code: 'run_not_active', message })
  }
  const call = describeCall({ id: '', tool: name, input }, workspaceFacts(root, root))
  const mayChange = changedAsked(settings, { input, call, root, cwd: root, ownPorts })
  const held = shellPlace(settings, live, { caller, startedBy: 'us' })
  const place = { ...held, mayWrite: held.mayWrite || gitWriters.has(name) }
  const { runChild, environment } = commandsIn(machine, place, root, mayChange)
  return ok({
    environment,
    // A command must not outlive the state that let it through.
    async runChild(wish: ChildWish) {
      const stop = new AbortController()
      const running = runChild({ ...wish, signal: either(wish.signal, stop.signal) })
      const end = async () => {
        stop.abort()
        await running
      }
      const over = commands.add({ runId, caller, state: state.name, end })
      try {
        return await running
      } finally {
        over()
      }
    },
  })
}

/** A state names these to have them change the workspace, and they start no other program. */
const gitWriters = new Set(['git_commit', 'git_checkout', 'git_apply'])

function commandsIn(
  { runtime, sandbox, environment, owner }: SessionMachine,
  place: ShellPlace,
  workspace: string,
  mayChange: readonly string[],
): CallCommands {
  const runChild = childRunner({
    sandbox,
    ...(owner === undefined ? {} : { owner }),
    planCage: () =>
      planCage(place.sandbox, sandbox, cageWishes(runtime.settings, place, workspace, mayChange)),
  })
  const { blockedEnv: blocked, envOverrides: overrides } = place
  return { runChild, environment: serverChildEnvironment(environment, { blocked, overrides }) }
}

/** What holds for a session that no run judges. */
function unboundPlace({ runtime: { settings } }: SessionMachine): ShellPlace {
  return {
    blockedEnv: [],
    envOverrides: {},
    sandbox: settings.sandbox ?? 'auto',
    mayWrite: true,
    mayStayInBackground: false,
    network: settings.sandboxNetwork,
    workspace: null,
  }
}

function either(wished: AbortSignal | undefined, stop: AbortSignal): AbortSignal {
  return wished === undefined ? stop : AbortSignal.any([wished, stop])
}
