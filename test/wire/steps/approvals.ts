import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'
import { start, workflow } from './runs.ts'

const asking = {
  ...workflow,
  id: 'walk-asking',
  policy: {
    ask: [
      { capability: 'Bash', rate_limit: { max_calls: 9, window_seconds: 60 } },
      { capability: 'WebFetch' },
    ],
    default: 'allow',
  },
  states: { ...workflow.states, plan: { on: workflow.states.plan.on } },
} as const

/** A transition, a call and a checkpoint that wait, and what people say to them. */
export async function approvalSteps(walk: Walk): Promise<void> {
  const run = await start(walk, asking)
  const person = walk.as('person')
  const body = { run, tool: 'Bash', input: { command: 'ls' }, call_id: 'asked' }
  const { approval_id: id = '' } = await walk.as('agent').call(endpoints.checkCall, { body })
  const waiting = await walk.call(endpoints.getApproval, { params: { id } })
  expect(waiting.if_approved).toBeDefined()
  await walk.call(endpoints.listApprovals, { query: { status: 'waiting', run } })
  await person.call(endpoints.approve, { params: { id }, body: { note: 'fine', always: true } })
  const again = await walk.as('agent').call(endpoints.checkCall, { body })
  expect(again.decision).toBe('allow')
  const other = { run, tool: 'WebFetch', input: { url: 'https://example.com' }, call_id: 'web' }
  const { approval_id = '' } = await walk.as('agent').call(endpoints.checkCall, { body: other })
  await person.call(endpoints.reject, { params: { id: approval_id }, body: { reason: 'no' } })
  await person.call(endpoints.listApprovals, { query: { limit: 500 } })
  await walk.call(endpoints.listEntries, { params: { id: run }, query: { limit: 1000 } })
}
