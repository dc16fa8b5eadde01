import {
  analyzeArgv,
  analyzeShell,
  err,
  isOnlyReading,
  unreachable,
} from '@statewright/core/internal'
import { z } from 'zod'
import { toolLimits } from './limits.ts'
import type { ChildEnd } from './run-child.ts'
import { defineTool, errorResult, type ToolDone, type ToolHost, textResult } from './tool.ts'

const timeout = z
  .int()
  .min(1)
  .max(toolLimits.longestTimeoutMs)
  .optional()
  .describe('Milliseconds after which the command is killed.')

export const bash = defineTool({
  name: 'bash',
  description: 'Runs a bash command in the workspace. Background processes are ended with it.',
  input: z.strictObject({
    command: z.string().min(1).max(toolLimits.commandLength),
    timeout_ms: timeout,
  }),
  isMutating: ({ command }) => !isOnlyReading(analyzeShell(command)),
  // No start-up files: a workspace must not decide what a command means.
  run: ({ command, timeout_ms }, host) =>
    runCommandLine(['bash', '--noprofile', '--norc', '-c', command], timeout_ms, host),
})

export const runCommand = defineTool({
  name: 'run_command',
  description: 'Runs a program with its arguments, without a shell.',
  input: z.strictObject({
    command: z
      .array(z.string().max(toolLimits.commandLength))
      .min(1)
      .max(toolLimits.words)
      .describe('The program and its arguments.'),
    timeout_ms: timeout,
  }),
  isMutating: ({ command }) => !isOnlyReading(analyzeArgv(command)),
  run({ command: [program = '', ...args], timeout_ms }, host) {
    return runCommandLine([program, ...args], timeout_ms, host)
  },
})

async function runCommandLine(
  argv: readonly [string, ...string[]],
  wishedMs: number | undefined,
  { workspace, signal, timeoutMs, runChild, environment }: ToolHost,
): Promise<ToolDone> {
  const end = await runChild({
    argv,
    cwd: workspace.root,
    environment,
    timeoutMs: wishedMs ?? timeoutMs,
    outputBytes: toolLimits.outputBytes,
    signal,
  })
  return tellEnd(end)
}

/** A red test run is news for the model; only what could not be carried out is a failure (SE-4). */
export function tellEnd(end: ChildEnd): ToolDone {
  switch (end.type) {
    case 'exited': {
      const { text } = end.output
      if (end.code === 0) return textResult(text === '' ? '(no output)' : text)
      return errorResult(`exit_${end.code}`, text === '' ? '(no output)' : text)
    }
    case 'timed_out':
      return err({
        why: 'timed_out',
        message: `The command took too long. ${last(end.output.text)}`.trim(),
      })
    case 'canceled':
      return err({ why: 'canceled', message: 'The command was stopped.' })
    case 'not_started':
      return err({ why: 'not_started', message: end.message })
    default:
      return unreachable(end)
  }
}

/** The end of what was printed before the timeout. */
function last(text: string): string {
  return text.slice(-500)
}
