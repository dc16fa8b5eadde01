import { processJsonSchema, workflowJsonSchema } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { configJsonSchema } from '../../config/schema.ts'
import { type Route, serve } from '../pipeline/route.ts'

/** The published JSON Schemas, at the paths that a definition's `$schema` names (WF-1). */
export const schemaRoutes: readonly Route[] = [
  serve(endpoints.getWorkflowSchema, (_call, reply) => reply(200, workflowJsonSchema()), {
    isPublished: true,
  }),
  serve(endpoints.getProcessSchema, (_call, reply) => reply(200, processJsonSchema()), {
    isPublished: true,
  }),
  serve(endpoints.getConfigSchema, (_call, reply) => reply(200, configJsonSchema()), {
    isPublished: true,
  }),
]
