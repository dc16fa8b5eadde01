import type { Result } from '@statewright/core'
import { z } from 'zod'
import {
  Kept,
  MemoryLine,
  MemoryShape,
  Tags,
  wireMemory,
  wireMemoryLine,
} from '../../gateway/tools/notebook-shapes.ts'
import { deleteMemory, getMemory, setMemory } from '../../runtime/memory.ts'
import type { RuntimeProblem } from '../../runtime/problem.ts'
import type { MemoryRow } from '../../store/notebook-store.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { InProject, inProject, Project } from './in-project.ts'
import { Id } from './shapes.ts'

const Search = z.object({
  project: Project,
  search: Id.optional().describe('Words that must all occur; case does not matter.'),
})

const Keep = z.object({ value: Kept, tags: Tags.optional() })
type Keep = z.infer<typeof Keep>

/** What a project keeps (PR-8). */
export const memoryRoutes: readonly Route[] = inProject([
  route({
    method: 'GET',
    path: '/api/memory',
    who: 'agent',
    summary: 'List or search what a project keeps, without the whole texts.',
    query: Search,
    answers: { 200: z.object({ memories: z.array(MemoryLine) }) },
    handle: async ({ parts, query }) => {
      const rows = await parts.runtime.store.notebook.listMemory(query.project, query.search)
      return json(200, { memories: rows.map(wireMemoryLine) })
    },
  }),
  route({
    method: 'GET',
    path: '/api/memory/:key',
    who: 'agent',
    summary: 'Read what is kept under a key.',
    query: InProject,
    answers: { 200: MemoryShape },
    handle: async ({ parts, query, params }: Call<undefined, InProject>) =>
      reply(await getMemory(parts.runtime, query.project, params.key ?? '')),
  }),
  route({
    method: 'PUT',
    path: '/api/memory/:key',
    who: 'agent',
    summary: 'Keep a text of at most 64 kB under a key; what was there is replaced.',
    query: InProject,
    body: Keep,
    answers: { 200: MemoryShape },
    handle: set,
  }),
  route({
    method: 'DELETE',
    path: '/api/memory/:key',
    who: 'agent',
    summary: 'Forget what is kept under a key.',
    query: InProject,
    answers: { 200: MemoryShape },
    handle: async ({ parts, query, params }: Call<undefined, InProject>) =>
      reply(await deleteMemory(parts.runtime, query.project, params.key ?? '')),
  }),
])

async function set({ parts, query, params, body }: Call<Keep, InProject>): Promise<Reply> {
  const key = Id.safeParse(params.key)
  if (!key.success) return refuse('usage', 'The key is too long.', { where: 'key' })
  const { value, tags = [] } = body
  return reply(await setMemory(parts.runtime, query.project, { key: key.data, value, tags }))
}

function reply(done: Result<MemoryRow, RuntimeProblem>): Reply {
  return done.ok ? json(200, wireMemory(done.value)) : problemReply(done.error)
}
