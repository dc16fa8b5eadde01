import type { HookConfig } from '@statewright/core/internal'
import { unreachable } from '@statewright/core/internal'
import type { ChildEnd, RunChild } from '../../tools/run-child.ts'
import { hookVariables, type Variables } from '../children/environment.ts'
import type { HookOutcome, HookRunner, HookRunRequest } from '../ports.ts'

/** What is kept of a hook's output, for people; the model never gets it. */
export const hookOutputBytes = 32 * 1024

export interface HookRunnerOptions {
  readonly runChild: RunChild
  /** Our own environment, of which a hook gets what it may have and no more. */
  readonly variables: Variables
}

/**
 * Runs post-tool hooks, one at a time as the machine asks for them. The tool runs that it follows
 * come as JSON on standard input; a hook that waits for ever is killed with all it started.
 */
export function createHookRunner({ runChild, variables }: HookRunnerOptions): HookRunner {
  return {
    async run(request) {
      const { hook, projectPath, signal } = request
      const [program = '', ...args] = hook.command
      const end = await runChild({
        argv: [program, ...args],
        cwd: projectPath,
        environment: hookVariables(variables, hook.env_allow),
        input: inputOf(request),
        timeoutMs: hook.timeout_ms,
        outputBytes: hookOutputBytes,
        signal,
      })
      return outcomeOf(hook, end)
    },
    close: async () => {},
  }
}

/** What a hook reads on its standard input. */
function inputOf({ sessionId, runId, hook, projectPath, toolRuns }: HookRunRequest): string {
  return `${JSON.stringify({
    sessionId,
    hookRunId: runId,
    hookName: hook.name,
    workspace: projectPath,
    toolRuns,
  })}\n`
}

function outcomeOf(hook: HookConfig, end: ChildEnd): HookOutcome {
  switch (end.type) {
    case 'exited': {
      const output = end.output.text
      if (end.code === 0) return { status: 'succeeded', output }
      return { status: 'failed', error: `${hook.name} ended with code ${end.code}.`, output }
    }
    case 'timed_out': {
      const error = `${hook.name} took longer than ${hook.timeout_ms} ms and was killed.`
      return { status: 'failed', error, output: end.output.text }
    }
    case 'canceled':
      return { status: 'canceled', output: end.output.text }
    case 'not_started':
      return { status: 'failed', error: `${hook.name} did not start: ${end.message}`, output: '' }
    default:
      return unreachable(end)
  }
}
