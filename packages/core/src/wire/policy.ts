import { z } from 'zod'
import { Policy } from '../policy/policy-schema.ts'
import { Used } from './approval.ts'
import { Id, Path, Time } from './basics.ts'
import { Reason } from './decision.ts'
import { DefinitionKind, VersionQuery } from './definition.ts'
import { endpoint } from './endpoint.ts'
import { Finding } from './problem.ts'

/** A version of a policy that stands on its own, attached to a project or a role (PO-1). */
export const AttachedPolicy = z.object({
  name: z.string(),
  project: z.string().nullable().describe('Null where it applies to a role, or to everybody.'),
  version: z.number(),
  policy: Policy,
  saved_by: z.string(),
  saved_at: Time,
  created_at: Time.describe('When its first version was saved.'),
  removed: z
    .literal(true)
    .optional()
    .describe('This version is a removal; `policy` is what was removed.'),
})
export type AttachedPolicy = z.infer<typeof AttachedPolicy>

/** A policy that a workflow or a process carries, in its newest version. */
export const DefinedPolicy = z.object({
  name: z.string().describe('Kind and definition, as usage and reasons name it.'),
  definition: z.string(),
  kind: DefinitionKind,
  version: z.number(),
  policy: Policy,
})
export type DefinedPolicy = z.infer<typeof DefinedPolicy>

const PolicyDecision = z.enum(['allow', 'ask', 'deny'])

/** Which rule spoke, and its place in the policy. */
export const MatchedRule = z.object({
  list: PolicyDecision,
  index: z.number(),
  capability: z.string(),
  path: z.string(),
})

/** What the policies say of a call. */
export const ExplainedPolicies = z.object({
  capability: z.string(),
  role: z.string(),
  decision: PolicyDecision,
  rule: MatchedRule.extend({ policy: z.string() }).optional(),
  usage: Used.optional(),
  resets_at: z.string().nullable().optional().describe('When it resets, in ISO form.'),
  reasons: z.array(Reason),
  policies: z.array(
    z.object({
      policy: z.string(),
      decision: PolicyDecision,
      rule: MatchedRule.nullable().describe('Null where no rule matched and the default applied.'),
      usage: z.array(Used),
      reasons: z.array(Reason),
    }),
  ),
})
export type ExplainedPolicies = z.infer<typeof ExplainedPolicies>

/** Policies attached to projects and roles, their versions, and what they say of a call. */
export const policyEndpoints = {
  listPolicies: endpoint({
    method: 'GET',
    path: '/api/policies',
    who: 'agent',
    summary: 'List the policies of projects and roles, and those that definitions carry.',
    answers: {
      200: z.object({ policies: z.array(AttachedPolicy), definitions: z.array(DefinedPolicy) }),
    },
  }),
  explainPolicies: endpoint({
    method: 'POST',
    path: '/api/policies/explain',
    who: 'agent',
    summary: 'What the policies decide about a call: which rule, its usage and when it resets.',
    body: z.strictObject({
      capability: Id.optional(),
      tool: Id.optional().describe('Name of the tool, as the client calls it.'),
      server: Id.optional(),
      input: z.unknown().optional(),
      run: Id.optional(),
      branch: Id.optional().describe('A branch of the current fork.'),
      role: Id.optional().describe('Another role than the run has; for people only.'),
      project: Path.optional(),
    }),
    answers: { 200: ExplainedPolicies },
  }),
  getPolicy: endpoint({
    method: 'GET',
    path: '/api/policies/:name',
    who: 'agent',
    summary: 'Read a policy, the newest version or another.',
    query: VersionQuery,
    answers: { 200: AttachedPolicy },
  }),
  savePolicy: endpoint({
    method: 'PUT',
    path: '/api/policies/:name',
    who: 'person',
    summary: 'Save a policy of a project or role; it applies from the next call on.',
    proof: 'define',
    body: z.strictObject({
      policy: z.unknown().optional().describe('The policy: role, allow, ask, deny, default.'),
      project: Path.min(1).optional().describe('Attach it to a project.'),
      base: z
        .int()
        .optional()
        .describe('Number of the version that it was begun with; refused by another.'),
    }),
    answers: { 200: AttachedPolicy.extend({ findings: z.array(Finding) }) },
  }),
  removePolicy: endpoint({
    method: 'DELETE',
    path: '/api/policies/:name',
    who: 'person',
    summary: 'Remove a policy.',
    proof: 'define',
    answers: { 200: AttachedPolicy },
  }),
  listPolicyVersions: endpoint({
    method: 'GET',
    path: '/api/policies/:name/versions',
    who: 'agent',
    summary: 'List the versions of a policy, newest first; a removal is one as well.',
    answers: { 200: z.object({ versions: z.array(AttachedPolicy) }) },
  }),
  restorePolicy: endpoint({
    method: 'POST',
    path: '/api/policies/:name/restore',
    who: 'person',
    summary: 'Restore an earlier version of a policy; it applies from the next call on.',
    proof: 'define',
    body: z.strictObject({ version: z.int().min(1).describe('The version to restore.') }),
    answers: { 200: AttachedPolicy },
  }),
}
