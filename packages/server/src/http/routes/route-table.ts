import { endpoints } from '@statewright/core/wire'
import { openApi } from '../openapi.ts'
import { type Route, serve } from '../pipeline/route.ts'
import { activityRoutes } from './activity.ts'
import { approvalRoutes } from './approvals.ts'
import { callRoutes } from './calls.ts'
import { demoRoutes } from './demo.ts'
import { docRoutes } from './docs.ts'
import { explainPolicyRoutes } from './explain-policies.ts'
import { feedRoutes } from './feed.ts'
import { loginRoutes } from './login.ts'
import { memoryRoutes } from './memory.ts'
import { oidcRoutes } from './oidc.ts'
import { passkeyRoutes } from './passkeys.ts'
import { policyRoutes } from './policies.ts'
import { processRoutes } from './processes.ts'
import { pinRoutes } from './proof.ts'
import { runDetailRoutes } from './run-details.ts'
import { runEventRoutes } from './run-events.ts'
import { runHistoryRoutes } from './run-history.ts'
import { runRoutes } from './runs.ts'
import { schemaRoutes } from './schemas.ts'
import { serverRoutes } from './server.ts'
import { taskRoutes } from './tasks.ts'
import { templateRoutes } from './templates.ts'
import { tokenRoutes } from './tokens.ts'
import { usageRoutes } from './usage.ts'
import { workflowRoutes } from './workflows.ts'

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
