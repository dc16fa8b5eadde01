import { z } from 'zod'
import { type ExplainedPolicy, explainPolicies } from '../../guard/explain.ts'
import { actorOf } from '../../runtime/caller.ts'
import { wireFinding } from '../../runtime/definitions.ts'
import { findRun } from '../../runtime/find-run.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { policiesOfDefinitions } from '../../runtime/rule-usage.ts'
import { removePolicy, savePolicy } from '../../runtime/save-policy.ts'
import type { PolicyRow, PolicyVersion } from '../../store/policy-store.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { Id, ReasonShape } from './shapes.ts'
import { runRef } from './wire.ts'
import { Version } from './workflows.ts'

export const PolicyShape = z.looseObject({
  name: z.string(),
  project: z.string().nullable(),
  version: z.number(),
  policy: z.looseObject({}),
  createdAt: z.string(),
  updatedAt: z.string(),
})

const DefinedShape = z.object({
  name: z.string().describe('As usage and reasons name it: the kind and the definition.'),
  definition: z.string(),
  kind: z.enum(['workflow', 'process']),
  version: z.number(),
  policy: z.looseObject({}),
})

const Save = z.object({
  policy: z.unknown().optional().describe('The policy: role, allow, ask, deny, default.'),
  project: z.string().min(1).max(4096).optional().describe('Attach it to a project.'),
})
type Save = z.infer<typeof Save>

const Explain = z.object({
  capability: Id.optional(),
  tool: Id.optional().describe('Name of the tool, as the client calls it.'),
  server: Id.optional(),
  input: z.unknown().optional(),
  run: Id.optional(),
  branch: Id.optional().describe('A branch of the fork in which the run stands.'),
  role: Id.optional().describe('Another role than the run has; for people only.'),
  project: z.string().max(4096).optional(),
})
type Explain = z.infer<typeof Explain>

const UsageShape = z.looseObject({
  kind: z.enum(['rate', 'budget']),
  used: z.number(),
  max: z.number(),
  resets_at: z.string().nullable(),
})

const ExplainedShape = z.object({
  capability: z.string(),
  role: z.string(),
  decision: z.enum(['allow', 'ask', 'deny']),
  rule: z.looseObject({}).optional(),
  usage: UsageShape.optional(),
  resets_at: z.string().nullable().optional(),
  reasons: z.array(ReasonShape),
  policies: z.array(z.looseObject({ policy: z.string() })),
})

/** Policies attached to projects and roles (PO-1). */
export const policyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/policies',
    who: 'agent',
    summary: 'List the policies of projects and roles, and those that definitions carry.',
    answers: {
      200: z.object({ policies: z.array(PolicyShape), definitions: z.array(DefinedShape) }),
    },
    handle: async ({ parts }) => {
      const rows = await parts.runtime.store.policies.list()
      const definitions = await policiesOfDefinitions(parts.runtime)
      return json(200, { policies: rows.map(wirePolicy), definitions })
    },
  }),
  route({
    method: 'POST',
    path: '/api/policies/explain',
    who: 'agent',
    onlyReads: true,
    summary: 'What the policies say of a call: which rule speaks, its usage and when it resets.',
    body: Explain,
    answers: { 200: ExplainedShape },
    handle: explain,
  }),
  route({
    method: 'GET',
    path: '/api/policies/:name',
    who: 'agent',
    summary: 'Read a policy, the newest version or another.',
    query: Version,
    answers: { 200: PolicyShape },
    handle: readPolicy,
  }),
  route({
    method: 'PUT',
    path: '/api/policies/:name',
    who: 'person',
    summary: 'Save a policy of a project or role; it holds for the next call.',
    proof: 'define',
    body: Save,
    answers: { 200: PolicyShape },
    handle: save,
  }),
  route({
    method: 'DELETE',
    path: '/api/policies/:name',
    who: 'person',
    summary: 'Remove a policy.',
    proof: 'define',
    answers: { 200: PolicyShape },
    handle: async (call) => {
      const row = await find(call)
      if (row === undefined) return unknown(call)
      await removePolicy(call.parts.runtime, call.caller, row.name)
      call.parts.log.info({ policy: row.name, by: call.caller.name }, 'a policy was removed')
      return json(200, wirePolicy(row))
    },
  }),
]

async function save(call: Call<Save, undefined>): Promise<Reply> {
  const { parts, caller, body } = call
  const { policy, project } = body
  if (policy === undefined) {
    const next = 'wrap it: {"policy": {…}, "project"?: "…"}.'
    return refuse('usage', 'The request holds no "policy".', { where: 'policy', next })
  }
  const saved = await savePolicy(parts.runtime, caller, {
    name: call.params.name ?? '',
    policy,
    ...(project === undefined ? {} : { project }),
  })
  if (!saved.ok) return problemReply(saved.error)
  const { row, findings } = saved.value
  logSaved(call, row)
  return json(200, { ...wirePolicy(row), findings: findings.map(wireFinding) })
}

async function explain({ parts, caller, body }: Call<Explain, undefined>): Promise<Reply> {
  const { capability, tool, server, input, run, branch, role, project } = body
  if ((capability === undefined) === (tool === undefined)) {
    const next = 'name a "capability" or a "tool", and not both.'
    return refuse('usage', 'The request does not say which call is meant.', { next })
  }
  if (role !== undefined && caller.kind !== 'person') {
    const next = 'leave "role" out: it is the one of the token.'
    return refuse('not_permitted', 'A role belongs to a token, not to a request.', { next })
  }
  let live: LiveRun | undefined
  if (run !== undefined) {
    const found = await findRun(parts.runtime, caller, runRef(run))
    if (!found.ok) return problemReply(found.error)
    live = found.value
  }
  const usual = caller.kind === 'person' ? (live?.row.role ?? 'agent') : caller.role
  const { settings } = parts.runtime
  const places = [settings.project, project, live?.row.project, live?.row.workspace]
  const scope = {
    role: role ?? usual,
    projects: places.filter((place) => typeof place === 'string'),
  }
  const question = {
    ...(capability === undefined ? {} : { capability }),
    ...(tool === undefined ? {} : { tool }),
    ...(server === undefined ? {} : { server }),
    ...(input === undefined ? {} : { input }),
    ...(branch === undefined ? {} : { branch }),
  }
  const subject = { scope, by: actorOf(caller), live }
  const { policies, ...answer } = await explainPolicies(parts.runtime, question, subject)
  const decided = policies.filter(({ decision, rule }) => decision === answer.decision && rule)
  const loudest = loudestOf(decided)
  const spent = loudest?.usage.find(({ free }) => !free) ?? loudest?.usage[0]
  return json(200, {
    ...answer,
    ...(loudest?.rule ? { rule: { policy: loudest.policy, ...loudest.rule } } : {}),
    ...(spent === undefined ? {} : { usage: spent, resets_at: spent.resets_at }),
    policies,
  })
}

/** The word that is shown on top: one whose limit is used up, else one that counts. */
function loudestOf(words: readonly ExplainedPolicy[]): ExplainedPolicy | undefined {
  const usedUp = words.find(({ usage }) => usage.some(({ free }) => !free))
  return usedUp ?? words.find(({ usage }) => usage.length > 0) ?? words[0]
}

/** A policy has no audit but its versions; what changed it is told in the log as well. */
export function logSaved({ parts, caller }: Call<unknown, unknown>, row: PolicyRow): void {
  const { name: policy, version } = row
  parts.log.info({ policy, version, by: caller.name }, 'a policy was saved')
}

async function readPolicy(call: Call<undefined, z.infer<typeof Version>>): Promise<Reply> {
  const { version } = call.query
  const row = version === undefined ? await find(call) : await findVersion(call, version)
  return row === undefined ? unknown(call) : json(200, wirePolicy(row))
}

/** A version that was saved once is there for good, also after the policy was removed. */
export async function findVersion(
  { parts, params }: Call<unknown, unknown>,
  version: number,
): Promise<PolicyVersion | undefined> {
  const versions = await parts.runtime.store.policies.versions(params.name ?? '')
  return versions.find((one) => one.version === version)
}

async function find({ parts, params }: Call<unknown, unknown>): Promise<PolicyRow | undefined> {
  return parts.runtime.store.policies.get(params.name ?? '')
}

export function unknown({ params }: Call<unknown, unknown>): Reply {
  const next = 'list them with `statewright policy list`.'
  const name = (params.name ?? '').slice(0, 100)
  return refuse('not_found', `No policy is called "${name}".`, { next })
}

export function wirePolicy(row: PolicyRow & Partial<Pick<PolicyVersion, 'removed'>>) {
  return {
    name: row.name,
    project: row.project,
    version: row.version,
    policy: JSON.parse(row.text),
    saved_by: row.savedBy,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.savedAt).toISOString(),
    ...(row.removed === true ? { removed: true } : {}),
  }
}
