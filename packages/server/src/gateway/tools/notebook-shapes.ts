import { limits } from '@statewright/core'
import { z } from 'zod'
import type { MemoryRow, TaskRow } from '../../store/notebook-store.ts'

/** Shapes of memory and tasks (PR-8), the same at `/mcp/process` and in the API. */
const name = z.string().min(1).max(limits.nameLength)

export const Key = name.describe('What it is kept under.')
export const Tags = z.array(name).max(limits.notebookTags).describe('Words to find it by.')
/** Bounded in bytes where it is stored. */
export const Kept = z.string().max(limits.memoryBytes)
export const TaskId = name.describe('Id of the task.')
export const Title = z.string().min(1).max(500).describe('What is to be done, in one line.')
export const Priority = z.int().min(-1000).max(1000).describe('Higher comes first; 0 is usual.')
export const TaskStatus = z.enum(['open', 'claimed', 'done', 'cancelled'])

export const MemoryShape = z.object({
  key: z.string(),
  value: z.string(),
  tags: z.array(z.string()),
  updated_at: z.number(),
})

export const MemoryLine = z.object({
  key: z.string(),
  excerpt: z.string().describe('How the text begins.'),
  bytes: z.number(),
  tags: z.array(z.string()),
  updated_at: z.number(),
})

export const TaskShape = z.object({
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

export const TaskLine = TaskShape.omit({ body: true })

export function wireMemory(row: MemoryRow): z.infer<typeof MemoryShape> {
  const { key, value, tags, updatedAt } = row
  return { key, value, tags: [...tags], updated_at: updatedAt }
}

const excerptLength = 200

/** Without the text: a list of many must not be as large as all of them. */
export function wireMemoryLine({ key, value, tags, updatedAt }: MemoryRow) {
  const excerpt = value.length > excerptLength ? `${value.slice(0, excerptLength)}…` : value
  const bytes = Buffer.byteLength(value)
  return { key, excerpt, bytes, tags: [...tags], updated_at: updatedAt }
}

export function wireTask(task: TaskRow): z.infer<typeof TaskShape> {
  return { ...wireTaskLine(task), body: task.body }
}

export function wireTaskLine(task: TaskRow): z.infer<typeof TaskLine> {
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
