import { z } from 'zod'
import { Id, Project } from './basics.ts'
import { endpoint } from './endpoint.ts'
import { KeptText, Tags } from './memory.ts'

export const TaskId = Id.describe('Id of the task.')
export const TaskTitle = z.string().min(1).max(500).describe('What is to be done, in one line.')
export const Priority = z.int().min(-1000).max(1000).describe('Higher comes first; 0 is usual.')
export const TaskStatus = z.enum(['open', 'claimed', 'done', 'cancelled'])
export type TaskStatus = z.infer<typeof TaskStatus>

export const Task = z.object({
  task_id: z.string(),
  title: z.string(),
  body: z.string(),
  status: TaskStatus,
  tags: z.array(z.string()),
  priority: z.number(),
  claimed_by: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
})
export type Task = z.infer<typeof Task>

export const TaskLine = Task.omit({ body: true })
export type TaskLine = z.infer<typeof TaskLine>

const InProject = z.strictObject({ project: Project })

const NewTask = z.strictObject({
  title: TaskTitle,
  body: KeptText.optional(),
  tags: Tags.optional(),
  priority: Priority.optional(),
})

/** Tasks of a project (PR-8). */
export const taskEndpoints = {
  listTasks: endpoint({
    method: 'GET',
    path: '/api/tasks',
    who: 'agent',
    summary: 'List the tasks of a project, the most urgent first.',
    query: InProject.extend({ status: TaskStatus.optional() }),
    answers: { 200: z.object({ tasks: z.array(TaskLine) }) },
  }),
  createTask: endpoint({
    method: 'POST',
    path: '/api/tasks',
    who: 'agent',
    summary: 'Create a task.',
    query: InProject,
    body: NewTask,
    answers: { 201: Task },
  }),
  getTask: endpoint({
    method: 'GET',
    path: '/api/tasks/:id',
    who: 'agent',
    summary: 'Read a task.',
    query: InProject,
    answers: { 200: Task },
  }),
  updateTask: endpoint({
    method: 'PUT',
    path: '/api/tasks/:id',
    who: 'agent',
    summary: 'Change a task that is open or the caller’s own; a person may change any.',
    query: InProject,
    body: NewTask.partial().extend({
      status: z.enum(['open', 'cancelled']).optional().describe('`open` gives a claimed one back.'),
    }),
    answers: { 200: Task },
  }),
  claimTask: endpoint({
    method: 'POST',
    path: '/api/tasks/:id/claim',
    who: 'agent',
    summary: 'Claim a task; only one of several callers gets it.',
    query: InProject,
    answers: { 200: Task },
  }),
  completeTask: endpoint({
    method: 'POST',
    path: '/api/tasks/:id/complete',
    who: 'agent',
    summary: 'Mark a task as done.',
    query: InProject,
    answers: { 200: Task },
  }),
  deleteTask: endpoint({
    method: 'DELETE',
    path: '/api/tasks/:id',
    who: 'person',
    summary: 'Remove a task.',
    query: InProject,
    answers: { 200: Task },
  }),
}
