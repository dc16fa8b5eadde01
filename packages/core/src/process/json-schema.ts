import type { JsonObject } from '../base/json.ts'
import { publishedSchema } from '../definition/json-schema.ts'
import { ProcessDefinition } from './process-schema.ts'

/** The JSON Schema that editors use to complete and check a process while it is written. */
export function processJsonSchema(): JsonObject {
  return publishedSchema(ProcessDefinition, {
    id: 'https://statewright.ai/process-schema.json',
    title: 'Statewright process',
  })
}
