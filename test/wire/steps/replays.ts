import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'
import { start, workflow } from './runs.ts'

const tried = { ...workflow, id: 'walk-tried' }

/** A workflow tried on a run of its own: as it is, and with a list of tools. */
export async function replaySteps(walk: Walk): Promise<void> {
  const person = walk.as('person')
  const definition = JSON.stringify(tried)
  await person.call(endpoints.saveWorkflow, { params: { name: tried.id }, body: definition })
  const run = await start(walk, tried)
  const body = { run, tool: 'Read', input: { file_path: 'a' }, call_id: 'read' }
  await walk.as('agent').call(endpoints.checkCall, { body })
  const stricter = {
    ...tried,
    states: { ...tried.states, plan: { ...tried.states.plan, allowed_tools: [] } },
  }
  const report = await replayed(walk, JSON.stringify(stricter))
  expect(report).toMatchObject({ runs: 1, differences: { newly_denied: 1 } })
  const { replay_id } = await person.call(endpoints.startReplay, { body: { definition } })
  const stopped = await person.call(endpoints.cancelReplay, { params: { id: replay_id } })
  expect(['cancelled', 'done']).toContain(stopped.status)
  await person.call(endpoints.stopRun, { params: { id: run }, body: {} })
}

async function replayed(walk: Walk, definition: string) {
  const person = walk.as('person')
  const { replay_id } = await person.call(endpoints.startReplay, { body: { definition } })
  for (;;) {
    const { status, report } = await person.call(endpoints.getReplay, { params: { id: replay_id } })
    if (status !== 'running') return report
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
