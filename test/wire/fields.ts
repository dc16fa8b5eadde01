import { type Endpoint, endpoints } from '@statewright/core/wire'
import { z } from 'zod'

/** A field of something that crosses the wire. */
export interface Field {
  /** The path of its endpoint, and the names above it. */
  readonly endpoint: string
  readonly above: readonly string[]
  readonly name: string
  /** The types that its JSON Schema has: `number`, `null`, … */
  readonly types: readonly string[]
}

type Node = Readonly<Record<string, unknown>>

/** Every field of every body, query and answer, however deep. */
export function allFields(): Field[] {
  return Object.values<Endpoint>(endpoints).flatMap(({ path, body, query, answers }) => {
    const sent = [body, query].filter((shape) => shape !== undefined)
    const reported = Object.values(answers).filter((shape) => shape !== 'text')
    return [
      ...sent.flatMap((shape) => fieldsIn(schemaOf(shape, 'input'), path)),
      ...reported.flatMap((shape) => fieldsIn(schemaOf(shape, 'output'), path)),
    ]
  })
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): Node {
  return z.toJSONSchema(shape, { io, unrepresentable: 'any' })
}

function fieldsIn(value: unknown, endpoint: string, above: readonly string[] = []): Field[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsIn(one, endpoint, above))
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([key, below]) => {
    if (key !== 'properties' || !isNode(below)) return fieldsIn(below, endpoint, above)
    return Object.entries(below).flatMap(([name, schema]) => [
      { endpoint, above, name, types: typesOf(schema) },
      ...fieldsIn(schema, endpoint, [...above, name]),
    ])
  })
}

function typesOf(schema: unknown): string[] {
  if (!isNode(schema)) return []
  const variants = [schema.anyOf, schema.oneOf].flatMap((some) => (Array.isArray(some) ? some : []))
  return [...[schema.type ?? []].flat().map(String), ...variants.flatMap(typesOf)]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
