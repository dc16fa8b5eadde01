import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { WorkflowDefinition } from './workflow-schema.ts'

/** The JSON Schema that editors use to complete and check a workflow while it is written. */
export function workflowJsonSchema(): JsonObject {
  return publishedSchema(WorkflowDefinition, {
    id: 'https://statewright.ai/workflow-schema.json',
    title: 'Statewright workflow',
  })
}

/** Generates a JSON Schema from a Zod schema: one truth for types, parser and editors. */
export function publishedSchema(
  schema: z.ZodType,
  names: { readonly id: string; readonly title: string },
): JsonObject {
  const generated: unknown = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })
  const open = withoutReferences(generated)
  const { $schema, ...rest } = isJsonObject(open) ? open : {}
  return { $schema: $schema ?? '', $id: names.id, title: names.title, ...rest }
}

/**
 * The only references are to "any JSON value", which a schema says better by saying nothing: the
 * generated definition of it is recursive and slows editors down.
 */
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => name !== '$ref' && name !== '$defs')
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutReferences(member)]))
}
