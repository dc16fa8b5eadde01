import type { Result } from '@statewright/core/internal'
import { endpoints, type Memory, MemoryKey } from '@statewright/core/wire'
import type { RuntimeProblem } from '../../base/problem.ts'
import { deleteMemory, getMemory, setMemory } from '../../notebook/memory.ts'
import { wireMemory, wireMemoryLine } from '../../notebook/wire-notebook.ts'
import type { MemoryRow } from '../../store/notebook-store.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'
import { inProject } from './in-project.ts'

/** What a project keeps (PR-8). */
export const memoryRoutes: readonly Route[] = inProject([
  serve(endpoints.listMemory, async ({ server, query }, reply) => {
    const rows = await server.runtime.store.notebook.listMemory(query.project, query.search)
    return reply(200, { memories: rows.map(wireMemoryLine) })
  }),
  serve(endpoints.getMemory, async ({ server, query, params }, reply) =>
    shown(await getMemory(server.runtime, query.project, params.key), reply),
  ),
  serve(endpoints.setMemory, async ({ server, query, params, body }, reply) => {
    const { value, tags = [] } = body
    const { success, data: key } = MemoryKey.safeParse(params.key)
    if (!success) return refuse('usage', 'The key is too long.', { where: 'key' })
    return shown(await setMemory(server.runtime, query.project, { key, value, tags }), reply)
  }),
  serve(endpoints.deleteMemory, async ({ server, query, params }, reply) =>
    shown(await deleteMemory(server.runtime, query.project, params.key), reply),
  ),
])

function shown(
  done: Result<MemoryRow, RuntimeProblem>,
  reply: (status: 200, memory: Memory) => Reply,
): Reply {
  return done.ok ? reply(200, wireMemory(done.value)) : problemReply(done.error)
}
