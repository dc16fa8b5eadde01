import { defined } from '@statewright/core/internal'
import { type AttachedPolicy, type Constant, endpoints } from '@statewright/core/wire'
import { policiesOfDefinitions } from '../../reports/rule-usage.ts'
import { wireFinding } from '../../runtime/rules/definitions.ts'
import { removePolicy, savePolicy } from '../../runtime/rules/save-policy.ts'
import type { PolicyRow, PolicyVersion } from '../../store/policy-store.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type CallOf, type Route, type ServerDependencies, serve } from '../pipeline/route.ts'
import { savedMeanwhile } from './save-definition.ts'

type PolicyCall = Pick<CallOf<typeof endpoints.getPolicy>, 'server' | 'caller' | 'params'>

/** Policies of projects and roles (PO-1), who saved which version, and back to one (PO-1e). */
export const policyRoutes: readonly Route[] = [
  serve(endpoints.listPolicies, async ({ server }, reply) => {
    const rows = await server.runtime.store.policies.list()
    const definitions = await policiesOfDefinitions(server.runtime)
    return reply(200, { policies: rows.map(wirePolicy), definitions })
  }),

  serve(endpoints.getPolicy, async ({ server, params, query }, reply) => {
    const { version } = query
    const row = await (version === undefined
      ? server.runtime.store.policies.get(params.name)
      : findVersion(server, params.name, version))
    return row === undefined ? unknown(params) : reply(200, wirePolicy(row))
  }),

  serve(endpoints.savePolicy, async (call, reply) => {
    if (call.body.policy === undefined) {
      const next = 'wrap it: {"policy": {…}, "project"?: "…"}.'
      return refuse('usage', 'The request has no "policy".', { where: 'policy', next })
    }
    const { base } = call.body
    const newest = await call.server.runtime.store.policies.get(call.params.name)
    if (base !== undefined && newest !== undefined && newest.version !== base) {
      return savedMeanwhile(newest)
    }
    const saved = await save(call, call.body)
    if (!saved.ok) return problemReply(saved.error)
    const { row, findings } = saved.value
    return reply(200, { ...wirePolicy(row), findings: findings.map(wireFinding) })
  }),

  serve(endpoints.removePolicy, async ({ server, caller, params }, reply) => {
    const row = await server.runtime.store.policies.get(params.name)
    if (row === undefined) return unknown(params)
    await removePolicy(server.runtime, caller, row.name)
    server.log.info({ policy: row.name, by: caller.name }, 'a policy was removed')
    return reply(200, wirePolicy(row))
  }),

  serve(endpoints.listPolicyVersions, async ({ server, params }, reply) => {
    const rows = await server.runtime.store.policies.versions(params.name)
    return rows.length === 0 ? unknown(params) : reply(200, { versions: rows.map(wirePolicy) })
  }),

  serve(endpoints.restorePolicy, async (call, reply) => {
    const { server, params, body } = call
    const earlier = await findVersion(server, params.name, body.version)
    if (earlier === undefined) {
      const { length } = await server.runtime.store.policies.versions(params.name)
      if (length === 0) return unknown(params)
      const next = `list them with "statewright policy versions ${params.name}".`
      return refuse('not_found', `${params.name} has no version ${body.version}.`, { next })
    }
    const { policy, project } = wirePolicy(earlier)
    const saved = await save(call, { policy, project: project ?? undefined })
    return saved.ok ? reply(200, wirePolicy(saved.value.row)) : problemReply(saved.error)
  }),
]

/** A policy has no audit but its versions; what changed it is told in the log as well. */
async function save(
  { server, caller, params }: PolicyCall,
  given: { readonly policy?: unknown; readonly project?: string | undefined },
) {
  const { policy, project } = given
  const request = { name: params.name, policy, ...defined({ project }) }
  const saved = await savePolicy(server.runtime, caller, request)
  if (saved.ok) {
    const { name, version } = saved.value.row
    server.log.info({ policy: name, version, by: caller.name }, 'a policy was saved')
  }
  return saved
}

/** A version that was saved once is there for good, also after the policy was removed. */
async function findVersion({ runtime }: ServerDependencies, name: string, version: number) {
  const versions = await runtime.store.policies.versions(name)
  return versions.find((one) => one.version === version)
}

function unknown({ name }: PolicyCall['params']): Reply {
  const next = 'list them with `statewright policy list`.'
  return refuse('not_found', `No policy is called "${name.slice(0, 100)}".`, { next })
}

function wirePolicy(
  row: PolicyRow & Partial<Pick<PolicyVersion, 'removed'>>,
): Constant<AttachedPolicy> {
  return {
    name: row.name,
    project: row.project,
    version: row.version,
    policy: JSON.parse(row.text),
    saved_by: row.savedBy,
    saved_at: row.savedAt,
    created_at: row.createdAt,
    ...(row.removed === true ? { removed: true } : {}),
  }
}
