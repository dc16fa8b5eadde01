import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'
import { start, workflow } from './runs.ts'

const policy = {
  role: 'walker',
  allow: [
    { capability: 'Read', rate_limit: { max_calls: 1, window_seconds: 60 } },
    { capability: 'Edit', budget_limit: { max_usd: 5, period: 'daily' }, reserve_usd: 1 },
  ],
  ask: [{ capability: 'WebFetch' }],
  deny: [{ capability: 'Task' }],
  default: 'allow',
} as const
const carrying = { ...workflow, id: 'walk-carrying', policy: { default: 'allow' } }

/** Policies that stand on their own or in a definition, and what they say of a call. */
export async function policySteps(walk: Walk): Promise<void> {
  const person = walk.as('person')
  const params = { name: 'walked' }
  const definition = { params: { name: carrying.id }, body: JSON.stringify(carrying) }
  await person.call(endpoints.saveWorkflow, definition)
  await walk.call(endpoints.savePolicy, { params, body: { policy } })
  const narrower = { ...policy, deny: [...policy.deny, { capability: 'Nothing*' }] }
  const attached = { policy: narrower, project: walk.workspace }
  const { findings, version } = await walk.call(endpoints.savePolicy, { params, body: attached })
  expect([version, findings.map(({ code }) => code)]).toEqual([2, ['role_not_read']])
  const { policies, definitions } = await walk.call(endpoints.listPolicies)
  expect(policies.map(({ name }) => name)).toContain('walked')
  expect(definitions.map(({ definition }) => definition)).toContain(carrying.id)
  await explain(walk)
  await walk.call(endpoints.getPolicy, { params })
  await walk.call(endpoints.restorePolicy, { params, body: { version: 1 } })
  await walk.call(endpoints.removePolicy, { params })
  const { versions } = await walk.call(endpoints.listPolicyVersions, { params })
  expect(versions.map(({ removed }) => removed)).toEqual([true, undefined, undefined, undefined])
}

async function explain(walk: Walk): Promise<void> {
  const run = await start(walk, carrying)
  const of = (tool: string) =>
    walk.as('person').call(endpoints.explainPolicies, {
      body: { tool, input: {}, role: 'walker', project: walk.workspace, run },
    })
  const output = []
  for (const tool of ['Read', 'Edit', 'WebFetch', 'Task', 'Glob']) {
    output.push((await of(tool)).decision)
  }
  expect(output).toEqual(['allow', 'allow', 'ask', 'deny', 'allow'])
  await walk.as('person').call(endpoints.stopRun, { params: { id: run }, body: {} })
}
