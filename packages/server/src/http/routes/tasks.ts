import type { Result } from '@statewright/core'
import { z } from 'zod'
import {
  Kept,
  Priority,
  Tags,
  TaskLine,
  TaskShape,
  TaskStatus,
  Title,
  wireTask,
  wireTaskLine,
} from '../../gateway/tools/notebook-shapes.ts'
import type { RuntimeProblem } from '../../runtime/problem.ts'
import {
  claimTask,
  completeTask,
  createTask,
  deleteTask,
  getTask,
  updateTask,
} from '../../runtime/tasks.ts'
import type { TaskRow } from '../../store/notebook-store.ts'
import { json, problemReply, type Reply } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { InProject, inProject, Project } from './in-project.ts'

const List = z.object({ project: Project, status: TaskStatus.optional() })

const Create = z.object({
  title: Title,
  body: Kept.optional(),
  tags: Tags.optional(),
  priority: Priority.optional(),
})
type Create = z.infer<typeof Create>

const Update = Create.partial().extend({
  status: z.enum(['open', 'cancelled']).optional().describe('`open` gives a claimed one back.'),
})
type Update = z.infer<typeof Update>

type TaskCall = Call<unknown, InProject>

/** Tasks of a project (PR-8). */
export const taskRoutes: readonly Route[] = inProject([
  route({
    method: 'GET',
    path: '/api/tasks',
    who: 'agent',
    summary: 'List the tasks of a project, the most urgent first.',
    query: List,
    answers: { 200: z.object({ tasks: z.array(TaskLine) }) },
    handle: async ({ parts, query }) => {
      const rows = await parts.runtime.store.notebook.listTasks(query.project, query.status)
      return json(200, { tasks: rows.map(wireTaskLine) })
    },
  }),
  route({
    method: 'POST',
    path: '/api/tasks',
    who: 'agent',
    summary: 'Write down a task.',
    query: InProject,
    body: Create,
    answers: { 201: TaskShape },
    handle: async ({ parts, query, body: given }: Call<Create, InProject>) => {
      const { title, body = '', tags = [], priority = 0 } = given
      const task = { title, body, tags, priority }
      return reply(await createTask(parts.runtime, query.project, task), 201)
    },
  }),
  route({
    method: 'GET',
    path: '/api/tasks/:id',
    who: 'agent',
    summary: 'Read a task.',
    query: InProject,
    answers: { 200: TaskShape },
    handle: async (call: Call<undefined, InProject>) => {
      const { project, taskId } = place(call)
      return reply(await getTask(call.parts.runtime, project, taskId))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/tasks/:id',
    who: 'agent',
    summary: 'Change a task that is open or the caller’s own; a person may change any.',
    query: InProject,
    body: Update,
    answers: { 200: TaskShape },
    handle: update,
  }),
  route({
    method: 'POST',
    path: '/api/tasks/:id/claim',
    who: 'agent',
    summary: 'Take a task; one of all who try gets it.',
    query: InProject,
    answers: { 200: TaskShape },
    handle: async (call: Call<undefined, InProject>) =>
      reply(await claimTask(call.parts.runtime, call.caller, place(call))),
  }),
  route({
    method: 'POST',
    path: '/api/tasks/:id/complete',
    who: 'agent',
    summary: 'Say that a task is done.',
    query: InProject,
    answers: { 200: TaskShape },
    handle: async (call: Call<undefined, InProject>) =>
      reply(await completeTask(call.parts.runtime, call.caller, place(call))),
  }),
  route({
    method: 'DELETE',
    path: '/api/tasks/:id',
    who: 'person',
    summary: 'Remove a task.',
    query: InProject,
    answers: { 200: TaskShape },
    handle: async (call: Call<undefined, InProject>) => {
      const { project, taskId } = place(call)
      return reply(await deleteTask(call.parts.runtime, project, taskId))
    },
  }),
])

async function update(call: Call<Update, InProject>): Promise<Reply> {
  const { title, body, tags, priority, status } = call.body
  const change = {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(tags === undefined ? {} : { tags }),
    ...(priority === undefined ? {} : { priority }),
    ...(status === undefined ? {} : { status }),
  }
  return reply(await updateTask(call.parts.runtime, call.caller, place(call), change))
}

function place({ query, params }: TaskCall): { project: string; taskId: string } {
  return { project: query.project, taskId: params.id ?? '' }
}

function reply(done: Result<TaskRow, RuntimeProblem>, status = 200): Reply {
  return done.ok ? json(status, wireTask(done.value)) : problemReply(done.error)
}
