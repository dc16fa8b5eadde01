import { processJsonSchema, workflowJsonSchema } from '@statewright/core/internal'
import { configJsonSchema } from '../config/schema.ts'

/** The published JSON Schemas, by the path that a definition's `$schema` names (WF-1). */
export function servedSchemas(): ReadonlyMap<string, object> {
  return new Map([
    ['/workflow-schema.json', workflowJsonSchema()],
    ['/process-schema.json', processJsonSchema()],
    ['/config-schema.json', configJsonSchema()],
  ])
}
