import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'

/** What a project keeps, and what is to be done there. */
export async function notebookSteps(walk: Walk): Promise<void> {
  const query = { project: walk.workspace }
  const person = walk.as('person')
  const kept = { params: { key: 'how' }, query }
  await person.call(endpoints.setMemory, { ...kept, body: { value: 'so', tags: ['a'] } })
  await person.call(endpoints.getMemory, kept)
  const { memories } = await person.call(endpoints.listMemory, { query: { ...query, search: 's' } })
  expect(memories.map(({ key }) => key)).toEqual(['how'])
  await person.call(endpoints.deleteMemory, kept)

  const body = { title: 'Mend it', body: 'soon', tags: ['b'], priority: 2 }
  const { task_id: id } = await person.call(endpoints.createTask, { query, body })
  const task = { params: { id }, query }
  await person.call(endpoints.getTask, task)
  await person.call(endpoints.updateTask, { ...task, body: { title: 'Mend it well' } })
  await person.call(endpoints.claimTask, task)
  const listed = await person.call(endpoints.listTasks, { query: { ...query, status: 'claimed' } })
  expect(listed.tasks[0]?.claimed_by).not.toBeNull()
  await person.call(endpoints.completeTask, task)
  await walk.call(endpoints.deleteTask, task)
}
