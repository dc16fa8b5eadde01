import { endpoints, type Memory } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../client/client.ts'

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
      return (await call(endpoints.listMemory, { query, signal })).memories
    },
  })
}

export function tasksQuery(project: string) {
  return queryOptions({
    queryKey: ['tasks', project],
    staleTime: 0,
    refetchInterval: readEveryMs,
    enabled: project !== '',
    queryFn: async ({ signal }) =>
      (await call(endpoints.listTasks, { query: { project }, signal })).tasks,
  })
}

export function readMemory(project: string, key: string): Promise<Memory> {
  return call(endpoints.getMemory, { params: { key }, query: { project } })
}

/** The projects that runs and sessions work in: what they keep is found under these names. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const query = { limit: 200 }
    const [{ runs }, { sessions }] = await Promise.all([
      call(endpoints.listRuns, { query, signal }),
      call(endpoints.listSessions, { query, signal }),
    ])
    const named = runs.flatMap(({ project, workspace }) => project ?? workspace ?? [])
    const names = [...named, ...sessions.map(({ projectPath }) => projectPath)]
    return [...new Set(names)].slice(0, 50)
  },
})
