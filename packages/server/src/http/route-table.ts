import { endpoints } from '@statewright/core/wire'
import { type Route, serve } from './door/route.ts'
import { openApi } from './openapi.ts'
import { activityRoutes } from './routes/activity.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { callRoutes } from './routes/calls.ts'
import { demoRoutes } from './routes/demo.ts'
import { docRoutes } from './routes/docs.ts'
import { explainPolicyRoutes } from './routes/explain-policies.ts'
import { feedRoutes } from './routes/feed.ts'
import { loginRoutes } from './routes/login.ts'
import { memoryRoutes } from './routes/memory.ts'
import { oidcRoutes } from './routes/oidc.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { policyRoutes } from './routes/policies.ts'
import { processRoutes } from './routes/processes.ts'
import { pinRoutes } from './routes/proof.ts'
import { runDetailRoutes } from './routes/run-details.ts'
import { runEventRoutes } from './routes/run-events.ts'
import { runHistoryRoutes } from './routes/run-history.ts'
import { runRoutes } from './routes/runs.ts'
import { schemaRoutes } from './routes/schemas.ts'
import { serverRoutes } from './routes/server.ts'
import { taskRoutes } from './routes/tasks.ts'
import { templateRoutes } from './routes/templates.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { usageRoutes } from './routes/usage.ts'
import { workflowRoutes } from './routes/workflows.ts'

const described: readonly Route[] = [
  ...callRoutes,
  ...runRoutes,
  ...runEventRoutes,
  ...runHistoryRoutes,
  ...runDetailRoutes,
  ...approvalRoutes,
  ...workflowRoutes,
  ...processRoutes,
  ...policyRoutes,
  ...explainPolicyRoutes,
  ...memoryRoutes,
  ...taskRoutes,
  ...templateRoutes,
  ...demoRoutes,
  ...docRoutes,
  ...tokenRoutes,
  ...loginRoutes,
  ...pinRoutes,
  ...passkeyRoutes,
  ...oidcRoutes,
  ...feedRoutes,
  ...usageRoutes,
  ...activityRoutes,
  ...serverRoutes,
  ...schemaRoutes,
]

/** Every route there is. Checks, description and attacks are made from it: none is forgotten. */
export function routeTable(more: readonly Route[] = []): readonly Route[] {
  const routes = [...described, ...more]
  let description: ReturnType<typeof openApi> | undefined
  const descriptionRoute = serve(endpoints.describeApi, (_call, reply) => {
    description ??= openApi([...routes, descriptionRoute])
    return reply(200, description)
  })
  return [...routes, descriptionRoute]
}
