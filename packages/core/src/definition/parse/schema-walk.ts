import { z } from 'zod'
import { own } from '../../base/own.ts'
import type { Path } from '../finding.ts'

/** The names an object at this place may have; none when anything may stand there. */
export function knownFields(schema: z.core.$ZodType, path: Path): readonly string[] {
  let at: z.core.$ZodType | undefined = unwrap(schema)
  for (const segment of path) {
    at = unwrap(step(at, segment))
    if (at === undefined) return []
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

function step(
  schema: z.core.$ZodType | undefined,
  segment: string | number,
): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
    return own(shape, String(segment))
  }
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodArray) return schema.element
  return undefined
}

function unwrap(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  let at = schema
  while (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap()
  return at
}
