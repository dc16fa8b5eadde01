import { type JsonObject, nearestNames } from '@statewright/core/internal'
import { z } from 'zod'

/** What is wrong with the options of a harness: an unknown name, or a value that does not fit. */
export function optionsFault(schema: z.ZodObject, options: JsonObject): string | undefined {
  const known = Object.keys(schema.shape)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const [near] = nearestNames(unknown, known)
    const meant = near === undefined ? `Options: ${known.join(', ')}.` : `Did you mean "${near}"?`
    return `There is no option "${unknown.slice(0, 100)}". ${meant}`
  }
  const parsed = schema.safeParse(options)
  if (parsed.success) return undefined
  const [issue] = parsed.error.issues
  const where = issue === undefined ? 'options' : issue.path.join('.')
  return `The option "${where}" is not valid: ${issue?.message ?? z.prettifyError(parsed.error)}`
}
