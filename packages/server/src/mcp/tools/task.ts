import { ok, type Result } from '@statewright/core/internal'
import {
  KeptText,
  Priority,
  Tags,
  Task,
  TaskId,
  TaskLine,
  TaskStatus,
  TaskTitle,
} from '@statewright/core/wire'
import { z } from 'zod'
import type { RuntimeProblem } from '../../base/problem.ts'
import {
  claimNextTask,
  claimTask,
  completeTask,
  createTask,
  getTask,
  updateTask,
} from '../../notebook/tasks.ts'
import { wireTask, wireTaskLine } from '../../notebook/wire-notebook.ts'
import type { TaskRow } from '../../store/notebook-store.ts'
import { notebookProject } from '../routine/routine-project.ts'
import { Name, type OwnTool, ownTool, RunHandle } from './tool.ts'

const Body = KeptText.describe('Everything else about it, at most 64 kB.')

const taskCreate = ownTool({
  name: 'task_create',
  description: 'Create a task for this project that anybody may claim.',
  input: z.object({
    title: TaskTitle,
    body: Body.optional(),
    tags: Tags.optional(),
    priority: Priority.optional(),
    run: RunHandle,
  }),
  output: Task,
  async call(from, { title, body = '', tags = [], priority = 0 }) {
    const given = { title, body, tags, priority }
    return shown(await createTask(from.runtime, notebookProject(from), given))
  },
})

const taskList = ownTool({
  name: 'task_list',
  description: 'Tasks of this project, the most urgent first.',
  input: z.object({
    status: TaskStatus.optional(),
    tag: Name.optional().describe('Only with this tag.'),
    run: RunHandle,
  }),
  output: z.object({ tasks: z.array(TaskLine) }),
  isReading: true,
  async call(from, { status, tag }) {
    const rows = await from.runtime.store.notebook.listTasks(notebookProject(from), status)
    const wanted = tag === undefined ? rows : rows.filter((row) => row.tags.includes(tag))
    return ok({ tasks: wanted.map(wireTaskLine) })
  },
})

const taskGet = ownTool({
  name: 'task_get',
  description: 'Read one task.',
  input: z.object({ task_id: TaskId, run: RunHandle }),
  output: Task,
  isReading: true,
  call: async (from, { task_id }) =>
    shown(await getTask(from.runtime, notebookProject(from), task_id)),
})

const taskUpdate = ownTool({
  name: 'task_update',
  description: 'Change a task that is open or that you claimed; status open gives it back.',
  input: z.object({
    task_id: TaskId,
    title: TaskTitle.optional(),
    body: Body.optional(),
    tags: Tags.optional(),
    priority: Priority.optional(),
    status: z.enum(['open', 'cancelled']).optional(),
    run: RunHandle,
  }),
  output: Task,
  async call(from, { task_id: taskId, title, body, tags, priority, status }) {
    const at = { project: notebookProject(from), taskId }
    const change = {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      ...(tags === undefined ? {} : { tags }),
      ...(priority === undefined ? {} : { priority }),
      ...(status === undefined ? {} : { status }),
    }
    return shown(await updateTask(from.runtime, from.caller, at, change))
  },
})

const taskClaim = ownTool({
  name: 'task_claim',
  description: 'Claim a task for yourself; without an id, the first open one.',
  input: z.object({ task_id: TaskId.optional(), run: RunHandle }),
  output: Task,
  async call(from, { task_id: taskId }) {
    const project = notebookProject(from)
    return shown(
      taskId === undefined
        ? await claimNextTask(from.runtime, from.caller, project)
        : await claimTask(from.runtime, from.caller, { project, taskId }),
    )
  },
})

const taskComplete = ownTool({
  name: 'task_complete',
  description: 'Mark a task as done.',
  input: z.object({ task_id: TaskId, run: RunHandle }),
  output: Task,
  async call(from, { task_id: taskId }) {
    const at = { project: notebookProject(from), taskId }
    return shown(await completeTask(from.runtime, from.caller, at))
  },
})

function shown(done: Result<TaskRow, RuntimeProblem>) {
  return done.ok ? ok(wireTask(done.value)) : done
}

export const taskTools: readonly OwnTool[] = [
  taskCreate,
  taskList,
  taskGet,
  taskUpdate,
  taskClaim,
  taskComplete,
]
