import { defined, type Result } from '@statewright/core/internal'
import { endpoints, type Task } from '@statewright/core/wire'
import type { RuntimeProblem } from '../../base/problem.ts'
import {
  claimTask,
  completeTask,
  createTask,
  deleteTask,
  getTask,
  updateTask,
} from '../../notebook/tasks.ts'
import { wireTask, wireTaskLine } from '../../notebook/wire-notebook.ts'
import type { TaskRow } from '../../store/notebook-store.ts'
import { problemReply, type Reply } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'
import { inProject } from './in-project.ts'

/** Tasks of a project (PR-8). */
export const taskRoutes: readonly Route[] = inProject([
  serve(endpoints.listTasks, async ({ server, query }, reply) => {
    const rows = await server.runtime.store.notebook.listTasks(query.project, query.status)
    return reply(200, { tasks: rows.map(wireTaskLine) })
  }),
  serve(endpoints.createTask, async ({ server, query, body: given }, reply) => {
    const { title, body = '', tags = [], priority = 0 } = given
    const task = { title, body, tags, priority }
    const made = await createTask(server.runtime, query.project, task)
    return made.ok ? reply(201, wireTask(made.value)) : problemReply(made.error)
  }),
  serve(endpoints.getTask, async ({ server, query, params }, reply) =>
    shown(await getTask(server.runtime, query.project, params.id), reply),
  ),
  serve(endpoints.updateTask, async (call, reply) => {
    const { server, caller, body } = call
    return shown(await updateTask(server.runtime, caller, which(call), defined(body)), reply)
  }),
  serve(endpoints.claimTask, async (call, reply) =>
    shown(await claimTask(call.server.runtime, call.caller, which(call)), reply),
  ),
  serve(endpoints.completeTask, async (call, reply) =>
    shown(await completeTask(call.server.runtime, call.caller, which(call)), reply),
  ),
  serve(endpoints.deleteTask, async ({ server, query, params }, reply) =>
    shown(await deleteTask(server.runtime, query.project, params.id), reply),
  ),
])

function which({ query, params }: Pick<CallOf<typeof endpoints.getTask>, 'query' | 'params'>) {
  return { project: query.project, taskId: params.id }
}

function shown(
  done: Result<TaskRow, RuntimeProblem>,
  reply: (status: 200, task: Task) => Reply,
): Reply {
  return done.ok ? reply(200, wireTask(done.value)) : problemReply(done.error)
}
