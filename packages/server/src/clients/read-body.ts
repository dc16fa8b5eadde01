import { err, ok, type Problem, type Result } from '@statewright/core'
import type { z } from 'zod'

/** Reads a hook's body by its shape and makes something of it. */
export function readBody<Shape, Made>(
  schema: z.ZodType<Shape>,
  name: string,
  body: unknown,
  make: (data: Shape) => Made,
): Result<Made, Problem> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return ok(make(parsed.data))
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  const message = `${name} cannot be read at ${where}: ${issue?.message ?? ''}`
  return err({ code: 'usage', message })
}

/** Clients cut a text for the model at about 10,000 characters; what is cut must be our choice. */
export function shortened(text: string): string {
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text
}

const mostText = 9500
