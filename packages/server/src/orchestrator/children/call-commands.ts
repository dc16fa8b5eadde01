import { ok, type Problem, type Result } from '@statewright/core/internal'
import type { Guard } from '../../guard/guard.ts'
import { holdCall } from '../../guard/run-command.ts'
import {
  type CallCommands,
  type ChildEnd,
  type ChildWish,
  childRunner,
} from '../../tools/run-child.ts'
import type { ToolRunRequest } from '../ports.ts'

/** How the commands of a session's tools are run: held by the plan of the call. */
export function callCommands(guard: Guard, owner?: string) {
  return async (request: ToolRunRequest): Promise<Result<CallCommands, Problem>> => {
    const { open, name: tool, arguments: input, projectPath: workspace } = request
    const held = await holdCall(guard, { open, tool, input, workspace, cwd: workspace })
    if (!held.ok) return held
    const { cage, environment, shield, track } = held.value
    const runChild = childRunner({
      sandbox: guard.sandbox,
      ...(owner === undefined ? {} : { owner }),
      planCage: () => ok(cage()),
    })
    return ok({
      environment,
      shield,
      // A command must not outlive the state that let it through.
      async runChild(wish: ChildWish) {
        const stop = new AbortController()
        let running: Promise<ChildEnd> | undefined
        const tracked = await track(async () => {
          stop.abort()
          await running
        })
        if (!tracked.ok) return { type: 'not_started', message: tracked.error.message }
        const { onOutput } = request
        running = runChild({ ...wish, signal: either(wish.signal, stop.signal), onOutput })
        try {
          return await running
        } finally {
          tracked.value()
        }
      },
    })
  }
}

function either(wished: AbortSignal | undefined, stop: AbortSignal): AbortSignal {
  return wished === undefined ? stop : AbortSignal.any([wished, stop])
}
