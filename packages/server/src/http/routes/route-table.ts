import { endpoints } from '@statewright/core/wire'
import { archiveFolder } from '../../archive/archiver.ts'
import { openApi } from '../openapi.ts'
import { type Route, serve } from '../pipeline/route.ts'
import { activityRoutes } from './activity.ts'
import { approvalRoutes } from './approvals.ts'
import { archiveRoutes } from './archive.ts'
import { callRoutes } from './calls.ts'
import { clientRoutes } from './clients.ts'
import { configRoutes } from './config.ts'
import { demoRoutes } from './demo.ts'
import { docRoutes } from './docs.ts'
import { execRoutes } from './exec.ts'
import { explainPolicyRoutes } from './explain-policies.ts'
import { feedRoutes } from './feed.ts'
import { type GatewayEndpoints, gatewayRoutes } from './gateway.ts'
import { loginRoutes } from './login.ts'
import { mailRoutes } from './mail.ts'
import { memoryRoutes } from './memory.ts'
import { modeRoutes } from './mode.ts'
import { oidcRoutes } from './oidc.ts'
import { passkeyRoutes } from './passkeys.ts'
import { policyRoutes } from './policies.ts'
import { processRoutes } from './processes.ts'
import { pinRoutes } from './proof.ts'
import { replayRoutes } from './replays.ts'
import { runDetailRoutes } from './run-details.ts'
import { runEventRoutes } from './run-events.ts'
import { runHistoryRoutes } from './run-history.ts'
import { runRoutes } from './runs.ts'
import { schemaRoutes } from './schemas.ts'
import { healthRoutes, serverFactsRoute } from './server.ts'
import { sessionRoutes } from './sessions.ts'
import { taskRoutes } from './tasks.ts'
import { templateRoutes } from './templates.ts'
import { tokenRoutes } from './tokens.ts'
import { type TrustOptions, trustRoutes } from './trust.ts'
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
  ...healthRoutes,
  ...schemaRoutes,
]

/** Every route there is. Checks, description and attacks are made from it: none is forgotten. */
export function routeTable(more: readonly Route[] = []): readonly Route[] {
  const routes = [...described, ...more]
  let description: ReturnType<typeof openApi> | undefined
  const descriptionRoute: Route = serve(
    endpoints.describeApi,
    (_call, reply) => {
      description ??= openApi([...routes, descriptionRoute])
      return reply(200, description)
    },
    { isPublished: true },
  )
  return [...routes, descriptionRoute]
}

/** What a server is put together from, as far as its routes need it. */
export interface ServerRouteOptions extends GatewayEndpoints, TrustOptions {
  readonly exec: Parameters<typeof execRoutes>[0]
  readonly sessions: Parameters<typeof sessionRoutes>[0]
  readonly mail: Parameters<typeof mailRoutes>[0]
  readonly replays: Parameters<typeof replayRoutes>[0]
}

/** Routes that need what their server was put together from. */
export function serverRoutes(options: ServerRouteOptions): readonly Route[] {
  return [
    ...gatewayRoutes(options),
    ...execRoutes(options.exec),
    ...sessionRoutes(options.sessions),
    ...trustRoutes(options),
    ...clientRoutes(options.registry),
    ...mailRoutes(options.mail),
    ...replayRoutes(options.replays),
  ]
}

/** Routes of a server that works for a project: its configuration, its mode, what it is. */
export function projectRoutes(options: {
  readonly pinned: Parameters<typeof configRoutes>[0]
  readonly afterAccept: NonNullable<Parameters<typeof configRoutes>[1]>
  readonly facts: Parameters<typeof serverFactsRoute>[0]
}): readonly Route[] {
  return [
    ...configRoutes(options.pinned, options.afterAccept),
    ...modeRoutes(options.pinned),
    ...archiveRoutes(archiveFolder(options.facts.data)),
    serverFactsRoute(options.facts),
  ]
}
