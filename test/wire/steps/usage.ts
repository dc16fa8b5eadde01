import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'
import { start, workflow } from './runs.ts'

const budgeted = {
  ...workflow,
  id: 'walk-budgeted',
  policy: {
    allow: [
      { capability: 'Read', rate_limit: { max_calls: 9, window_seconds: 60 } },
      { capability: 'Edit', budget_limit: { max_usd: 5, period: 'daily' } },
    ],
    default: 'allow',
  },
} as const

/** What was used of rules and spent, and what happened over time. */
export async function usageSteps(walk: Walk): Promise<void> {
  const person = walk.as('person')
  const name = { params: { name: budgeted.id }, body: JSON.stringify(budgeted) }
  await person.call(endpoints.saveWorkflow, name)
  const run = await start(walk, budgeted)
  const cost = { params: { id: run }, body: { cost_usd: 0.5 } }
  const { total_usd } = await walk.as('agent').call(endpoints.reportCost, cost)
  expect(total_usd).toBe(0.5)
  const body = { run, tool: 'Write', input: { file_path: 'a', content: 'b' }, call_id: 'no' }
  await walk.as('agent').call(endpoints.checkCall, { body })
  const { rules, spend } = await person.call(endpoints.getUsage, { query: { hours: 2, days: 2 } })
  expect(rules.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['rate', 'budget']))
  expect(spend.hours).toHaveLength(2)
  const { denials } = await walk.call(endpoints.getActivity)
  expect(denials.places.length).toBeGreaterThan(0)
  await person.call(endpoints.stopRun, { params: { id: run }, body: {} })
}
