import { hasErrors } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { checkSource, wireFinding } from '../../runtime/rules/definitions.ts'
import { type Route, serve } from '../pipeline/route.ts'
import { definitionRoutes } from './definitions.ts'

export const workflowRoutes: readonly Route[] = [
  ...definitionRoutes('workflow'),
  serve(
    endpoints.checkDefinition,
    async ({ server, text }, reply) => {
      const { findings } = await checkSource(server.runtime, text)
      return reply(200, { ok: !hasErrors(findings), findings: findings.map(wireFinding) })
    },
    { onlyReads: true },
  ),
]
