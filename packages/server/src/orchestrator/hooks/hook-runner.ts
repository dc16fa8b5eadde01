import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { type HookConfig, limits, unreachable } from '@statewright/core/internal'
import { redactText } from '../../base/redact.ts'
import type { ChildEnd, RunChild } from '../../tools/run-child.ts'
import { hookVariables, type Variables } from '../children/environment.ts'
import type { HookOutcome, HookRunner, HookRunRequest } from '../ports.ts'

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
      const environment = hookVariables(variables, hook.env_allow)
      // In a sandbox a missing program looks like one that ended badly, and nobody sees why.
      if (!isThere(program, projectPath, environment.PATH)) return missing(hook, program)
      const end = await runChild({
        argv: [program, ...args],
        cwd: projectPath,
        environment,
        input: inputOf(request),
        timeoutMs: hook.timeout_ms,
        outputBytes: limits.hookOutputLength,
        signal,
        onOutput: request.onOutput,
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

function isThere(program: string, cwd: string, path: string | undefined): boolean {
  // Without a PATH the system looks in places of its own.
  if (path === undefined && !program.includes('/')) return true
  const folders = program.includes('/') ? [''] : (path ?? '').split(delimiter)
  return folders.some((folder) => {
    try {
      accessSync(resolve(cwd, join(folder, program)), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function missing(hook: HookConfig, program: string): HookOutcome {
  const where = program.includes('/') ? 'that may be run' : 'in the PATH of the server'
  const error = `Hook ${hook.name} did not start: there is no program "${program}" ${where}.`
  return { status: 'failed', error, output: '' }
}

function outcomeOf(hook: HookConfig, end: ChildEnd): HookOutcome {
  if (end.type === 'not_started') {
    const error = `Hook ${hook.name} did not start: ${redactText(end.message)}`
    return { status: 'failed', error, output: '' }
  }
  const output = redactText(end.output.text)
  switch (end.type) {
    case 'exited': {
      const { code: exitCode } = end
      if (exitCode === 0) return { status: 'succeeded', exitCode, output }
      const error = `Hook ${hook.name} failed with exit code ${exitCode}${lastLines(output)}.`
      return { status: 'failed', error, exitCode, output }
    }
    case 'timed_out': {
      const took = `took longer than ${hook.timeout_ms} ms and was killed`
      return { status: 'failed', error: `Hook ${hook.name} ${took}${lastLines(output)}.`, output }
    }
    case 'canceled':
      return { status: 'canceled', output }
    default:
      return unreachable(end)
  }
}

const shownLines = 3
const shownLength = 400

/** The last of what it printed: there a program says why it gives up. */
function lastLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return ' and printed nothing'
  return `: "${lines.slice(-shownLines).join('\n').slice(-shownLength).toWellFormed()}"`
}
