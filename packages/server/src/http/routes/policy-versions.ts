import { z } from 'zod'
import { savePolicy } from '../../runtime/save-policy.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { findVersion, logSaved, PolicyShape, unknown, wirePolicy } from './policies.ts'

const Restore = z.object({ version: z.int().min(1).describe('The version that holds again.') })

/** Who saved which version of a policy, and back to one of them (PO-1e). */
export const policyVersionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/policies/:name/versions',
    who: 'agent',
    summary: 'List the versions of a policy, newest first; a removal is one as well.',
    answers: { 200: z.object({ versions: z.array(PolicyShape) }) },
    handle: async (call) => {
      const rows = await call.parts.runtime.store.policies.versions(call.params.name ?? '')
      return rows.length === 0 ? unknown(call) : json(200, { versions: rows.map(wirePolicy) })
    },
  }),
  route({
    method: 'POST',
    path: '/api/policies/:name/restore',
    who: 'person',
    summary: 'Save an earlier version of a policy again; it holds for the next call.',
    proof: 'define',
    body: Restore,
    answers: { 200: PolicyShape },
    handle: restore,
  }),
]

async function restore(call: Call<z.infer<typeof Restore>, undefined>): Promise<Reply> {
  const { parts, caller, body } = call
  const name = call.params.name ?? ''
  const earlier = await findVersion(call, body.version)
  if (earlier === undefined) {
    if ((await parts.runtime.store.policies.versions(name)).length === 0) return unknown(call)
    const next = `list them with "statewright policy versions ${name}".`
    return refuse('not_found', `${name} has no version ${body.version}.`, { next })
  }
  const { project } = earlier
  const policy: unknown = JSON.parse(earlier.text)
  const request = { name, policy, ...(project === null ? {} : { project }) }
  const saved = await savePolicy(parts.runtime, caller, request)
  if (!saved.ok) return problemReply(saved.error)
  logSaved(call, saved.value.row)
  return json(200, wirePolicy(saved.value.row))
}
