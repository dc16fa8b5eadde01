import { type JsonObject, ok, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import { toolLimits } from './limits.ts'
import type { RunChild } from './run-child.ts'
import type { PathFault } from './workspace/path-fault.ts'
import type { Workspace } from './workspace/workspace.ts'

/** What a tool is given besides its arguments. */
export interface ToolHost {
  readonly workspace: Workspace
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** How commands are started: plainly, or in the sandbox. */
  readonly runChild: RunChild
  /** All that commands know of our environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** What a tool tells the model. An error result is news, not a failure (SE-4). */
export interface ToolOutput {
  readonly text: string
  readonly isError: boolean
  /** It was refused before it began, so that no hook follows (SE-6). */
  readonly changedNothing?: true
}

/** The tool could not be run at all: it did not start, took too long, or broke. */
export interface ToolFailure {
  readonly why: 'not_started' | 'timed_out' | 'crashed' | 'canceled'
  readonly message: string
}

export type ToolDone = Result<ToolOutput, ToolFailure>

export interface Tool {
  readonly name: string
  readonly description: string
  /** The JSON Schema of its arguments, for models. */
  readonly inputSchema: JsonObject
  /** Arguments that are known to be paths which it writes. */
  readonly writes?: readonly string[] | undefined
  /** Whether the call may change something, so that post-tool hooks follow (SE-6). */
  isMutating(input: unknown): boolean
  run(input: unknown, host: ToolHost): Promise<ToolDone>
}

export interface ToolSpec<Input> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly isMutating: boolean | ((input: Input) => boolean)
  readonly run: (input: Input, host: ToolHost) => Promise<ToolDone>
}

export function defineTool<Input>(spec: ToolSpec<Input>): Tool {
  const { name, description, input: schema, isMutating } = spec
  return {
    name,
    description,
    inputSchema: jsonSchemaOf(schema),
    isMutating(given) {
      if (typeof isMutating === 'boolean') return isMutating
      const parsed = schema.safeParse(given)
      // What cannot be read is taken for the graver kind.
      return !parsed.success || isMutating(parsed.data)
    },
    async run(given, host) {
      const parsed = schema.safeParse(given)
      // A harness hands on as text what it could not read.
      if (typeof given === 'string') {
        return refusalResult('invalid_arguments', 'The arguments are not valid JSON.')
      }
      if (!parsed.success) return refusalResult('invalid_arguments', z.prettifyError(parsed.error))
      return spec.run(parsed.data, host)
    },
  }
}

export function textResult(text: string): ToolDone {
  return ok({ text: bounded(text), isError: false })
}

/** The code first, then the sentence: models read both. */
export function errorResult(code: string, message: string): ToolDone {
  return ok({ text: bounded(`${code}: ${message}`), isError: true })
}

/** An error of a call that has not begun to change anything. */
export function refusalResult(code: string, message: string): ToolDone {
  return ok({ text: bounded(`${code}: ${message}`), isError: true, changedNothing: true })
}

export function faultResult(fault: PathFault): ToolDone {
  return refusalResult(fault.code, fault.message)
}

function bounded(text: string): string {
  if (text.length <= toolLimits.resultBytes) return text
  const kept = text.slice(0, toolLimits.resultBytes).toWellFormed()
  return `${kept}\n[${text.length - toolLimits.resultBytes} characters left out]`
}

export const Path = z
  .string()
  .min(1)
  .max(toolLimits.pathLength)
  .describe('Path in the workspace, absolute or relative to its root.')

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  // Zod writes plain JSON; going through text proves it and drops its prototypes.
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(z.toJSONSchema(schema)))
  return rest
}
