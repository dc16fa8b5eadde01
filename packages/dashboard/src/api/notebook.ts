import { endpoints } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { ask, call, segment } from './client.ts'
import type { RunPage } from './types.ts'

export interface MemoryLine {
  readonly key: string
  readonly excerpt: string
  readonly bytes: number
  readonly tags: readonly string[]
  readonly updated_at: number
}

export interface Memory {
  readonly key: string
  readonly value: string
  readonly tags: readonly string[]
}

export type TaskStatus = 'open' | 'claimed' | 'done' | 'cancelled'

export interface TaskLine {
  readonly task_id: string
  readonly title: string
  readonly status: TaskStatus
  readonly tags: readonly string[]
  readonly priority: number
  readonly claimed_by: string | null
  readonly updated_at: number
}

/** Agents write here without a word in the feed, so the clock asks. */
const readEveryMs = 5000

export function memoryQuery(project: string, search: string) {
  return queryOptions({
    queryKey: ['memory', project, search],
    staleTime: 0,
    refetchInterval: readEveryMs,
    enabled: project !== '',
    queryFn: async ({ signal }) => {
      const query = { project, search: search || undefined }
      const answer = await ask<{ memories: MemoryLine[] }>('GET', '/api/memory', { query, signal })
      return answer.memories
    },
  })
}

export function tasksQuery(project: string) {
  return queryOptions({
    queryKey: ['tasks', project],
    staleTime: 0,
    refetchInterval: readEveryMs,
    enabled: project !== '',
    queryFn: async ({ signal }) => {
      const query = { project }
      return (await ask<{ tasks: TaskLine[] }>('GET', '/api/tasks', { query, signal })).tasks
    },
  })
}

export function readMemory(project: string, key: string): Promise<Memory> {
  return ask<Memory>('GET', `/api/memory/${segment(key)}`, { query: { project } })
}

/** The projects that runs and sessions work in: what they keep is found under these names. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const query = { limit: 200 }
    const [{ runs }, { sessions }] = await Promise.all([
      ask<RunPage>('GET', '/api/runs', { query, signal }),
      call(endpoints.listSessions, { query, signal }),
    ])
    const named = runs.flatMap(({ project, workspace }) => project ?? workspace ?? [])
    const names = [...named, ...sessions.map(({ projectPath }) => projectPath)]
    return [...new Set(names)].slice(0, 50)
  },
})
