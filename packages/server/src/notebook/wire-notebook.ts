import type { Memory, MemoryLine, Task, TaskLine } from '@statewright/core/wire'
import type { MemoryRow, TaskRow } from '../store/notebook-store.ts'

/** Memory and tasks (PR-8) as `/mcp/process` and the API spell them. */
export function wireMemory({ key, value, tags, updatedAt }: MemoryRow): Memory {
  return { key, value, tags: [...tags], updated_at: updatedAt }
}

const excerptLength = 200

export function wireMemoryLine({ key, value, tags, updatedAt }: MemoryRow): MemoryLine {
  const excerpt = value.length > excerptLength ? `${value.slice(0, excerptLength)}…` : value
  const bytes = Buffer.byteLength(value)
  return { key, excerpt, bytes, tags: [...tags], updated_at: updatedAt }
}

export function wireTask(task: TaskRow): Task {
  return { ...wireTaskLine(task), body: task.body }
}

export function wireTaskLine(task: TaskRow): TaskLine {
  const { taskId, title, status, tags, priority, claimedBy, createdAt, updatedAt } = task
  return {
    task_id: taskId,
    title,
    status,
    tags: [...tags],
    priority,
    claimed_by: claimedBy,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}
