import { err, ok, type Result } from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { TaskRow } from '../store/notebook-store.ts'
import { tooLong } from './memory.ts'

export interface TaskInput {
  readonly title: string
  readonly body: string
  readonly tags: readonly string[]
  readonly priority: number
}

export interface TaskChange extends Partial<TaskInput> {
  /** `open` gives a claimed task back. */
  readonly status?: 'open' | 'cancelled'
}

export async function createTask(
  runtime: Runtime,
  project: string,
  input: TaskInput,
): Promise<Result<TaskRow, RuntimeProblem>> {
  const fault = tooLong('body', input.body)
  if (fault !== undefined) return err(fault)
  const at = runtime.clock.now()
  const task: TaskRow = {
    ...input,
    project,
    taskId: runtime.clock.newId('task'),
    status: 'open',
    claimedBy: null,
    createdAt: at,
    updatedAt: at,
  }
  await runtime.store.notebook.addTask(task)
  return ok(task)
}

export async function getTask(
  runtime: Runtime,
  project: string,
  taskId: string,
): Promise<Result<TaskRow, RuntimeProblem>> {
  const task = await runtime.store.notebook.task(project, taskId)
  return task === undefined ? err(unknownTask(taskId)) : ok(task)
}

/** Changes a task that is open, or that the caller itself has claimed; people may change any. */
export function updateTask(
  runtime: Runtime,
  caller: Caller,
  at: { readonly project: string; readonly taskId: string },
  change: TaskChange,
): Promise<Result<TaskRow, RuntimeProblem>> {
  return changeTask(runtime, at, (task) => {
    const fault = change.body === undefined ? undefined : tooLong('body', change.body)
    if (fault !== undefined) return err(fault)
    const taken = takenBy(task, caller)
    if (taken !== undefined) return err(taken)
    const isOver = task.status === 'done' || task.status === 'cancelled'
    if (isOver && caller.kind !== 'person') return err(overTask(task))
    const claimedBy = change.status === undefined ? task.claimedBy : null
    return ok({ ...task, ...change, claimedBy })
  })
}

/** One of all who try gets it. */
export function claimTask(
  runtime: Runtime,
  caller: Caller,
  at: { readonly project: string; readonly taskId: string },
): Promise<Result<TaskRow, RuntimeProblem>> {
  return changeTask(runtime, at, (task) => {
    if (task.status === 'claimed') return err(claimedTask(task))
    if (task.status !== 'open') return err(overTask(task))
    return ok({ ...task, status: 'claimed', claimedBy: actorOf(caller).id })
  })
}

/** The open task that comes first, for workers that take whatever there is. */
export async function claimNextTask(
  runtime: Runtime,
  caller: Caller,
  project: string,
): Promise<Result<TaskRow, RuntimeProblem>> {
  for (const { taskId } of await runtime.store.notebook.listTasks(project, 'open')) {
    const claimed = await claimTask(runtime, caller, { project, taskId })
    // Somebody else was faster, or removed it: the next one may still be free.
    if (claimed.ok || (claimed.error.code !== 'task_taken' && claimed.error.code !== 'not_found')) {
      return claimed
    }
  }
  return err(problem('not_found', 'No task is open.', { next: 'create one, or come back later.' }))
}

export function completeTask(
  runtime: Runtime,
  caller: Caller,
  at: { readonly project: string; readonly taskId: string },
): Promise<Result<TaskRow, RuntimeProblem>> {
  return changeTask(runtime, at, (task) => {
    const taken = takenBy(task, caller)
    if (taken !== undefined) return err(taken)
    if (task.status === 'done' || task.status === 'cancelled') return err(overTask(task))
    return ok({ ...task, status: 'done' })
  })
}

export async function deleteTask(
  runtime: Runtime,
  project: string,
  taskId: string,
): Promise<Result<TaskRow, RuntimeProblem>> {
  const found = await getTask(runtime, project, taskId)
  if (!found.ok) return found
  const isGone = await runtime.store.notebook.deleteTask(project, taskId)
  return isGone ? found : err(unknownTask(taskId))
}

const maxTries = 100

/** Writes a change if nobody wrote since it was read; else it looks again at what there is now. */
async function changeTask(
  runtime: Runtime,
  { project, taskId }: { readonly project: string; readonly taskId: string },
  change: (task: TaskRow) => Result<TaskRow, RuntimeProblem>,
): Promise<Result<TaskRow, RuntimeProblem>> {
  for (let tries = 0; tries < maxTries; tries++) {
    const found = await getTask(runtime, project, taskId)
    if (!found.ok) return found
    const changed = change(found.value)
    if (!changed.ok) return changed
    // Always later than before, so that no two readings of a task look alike.
    const updatedAt = Math.max(runtime.clock.now(), found.value.updatedAt + 1)
    const task = { ...changed.value, updatedAt }
    if (await runtime.store.notebook.updateTask(task, found.value)) return ok(task)
  }
  return err(
    problem('task_taken', 'Too many callers are changing this task at once.', {
      next: 'try again.',
    }),
  )
}

function takenBy(task: TaskRow, caller: Caller): RuntimeProblem | undefined {
  if (task.status !== 'claimed' || caller.kind === 'person') return undefined
  // Sub-agents of one token work for one another; tokens do not.
  const [holder] = (task.claimedBy ?? '').split('/')
  return holder === caller.tokenId ? undefined : claimedTask(task)
}

function claimedTask(task: TaskRow): RuntimeProblem {
  const message = `The task ${task.taskId} is claimed by ${task.claimedBy ?? 'somebody'}.`
  return problem('task_taken', message, { next: 'claim another task that is open.' })
}

function overTask({ taskId, status }: TaskRow): RuntimeProblem {
  return problem('task_taken', `The task ${taskId} is ${status}.`, { next: 'create a new one.' })
}

function unknownTask(taskId: string): RuntimeProblem {
  const next = 'list what there is with task_list.'
  return problem('not_found', `There is no task ${taskId.slice(0, 100)} here.`, { next })
}
