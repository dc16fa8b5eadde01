import { type Code, explainIssue, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import type { RuntimeProblem } from '../../base/problem.ts'
import type { ToolCaller } from '../tool-caller.ts'

/** A tool of ours, as MCP clients see and call it. */
export interface OwnTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Clients may run it beside others; never true for what changes a run. */
  readonly isReading: boolean
  /** Shown only to callers whose run has `meta.debug`. */
  readonly isDebugging: boolean
  call(from: ToolCaller, args: unknown): Promise<Result<object, RuntimeProblem>>
}

export type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown }

interface ToolFacts<Input, Output> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly output: z.ZodType<Output>
  readonly isReading?: true
  readonly isDebugging?: true
  readonly call: (from: ToolCaller, input: Input) => Promise<Result<Output, RuntimeProblem>>
}

/** One schema for the check, the type and what is published. */
export function ownTool<Input, Output extends object>(facts: ToolFacts<Input, Output>): OwnTool {
  const { name, description, input } = facts
  return {
    name,
    description,
    inputSchema: published(input, 'input'),
    outputSchema: published(facts.output, 'output'),
    isReading: facts.isReading === true,
    isDebugging: facts.isDebugging === true,
    async call(from, args) {
      const parsed = input.safeParse(args ?? {})
      if (!parsed.success)
        return { ok: false, error: badArguments(name, input, args, parsed.error) }
      return facts.call(from, parsed.data)
    },
  }
}

function published(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io })
  return { ...rest, type: 'object' }
}

const usage: Code = 'usage'

function badArguments(
  name: string,
  schema: z.ZodType,
  value: unknown,
  { issues }: z.ZodError,
): RuntimeProblem {
  const found = explainIssue(issues, { schema, value: value ?? {}, what: 'The arguments' })
  const where = found?.path.map(String).join('.') || 'arguments'
  return { code: usage, message: `${name}: ${found?.message ?? 'bad arguments'}`, where }
}

export const RunHandle = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Id of a run; needed only when several are active.')

export const Name = z.string().min(1).max(200)

/** JSON of any shape, as agents send it; bounded where it is used. */
export const AnyObject = z.record(z.string(), z.json())
