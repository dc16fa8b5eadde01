import { type RunStatus, stuckOn } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { findRun } from '../../runtime/runs/find-run.ts'
import { seenBy } from '../../runtime/runs/scope.ts'
import type { RunRow, Store } from '../../store/store.ts'
import { problemReply, refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'
import { archivedReply } from './archived-reply.ts'
import { runRef, textValue } from './wire.ts'

const live: readonly RunStatus[] = ['running', 'waiting', 'paused']
const maxLooked = 200
const newest = 40

/** What the pages of people look up besides the history itself. */
export const runDetailRoutes: readonly Route[] = [
  serve(endpoints.listStuckRuns, async ({ server, caller }, reply) => {
    const { store } = server.runtime
    const { runs } = await store.runs.list({ status: live, limit: 500, ...seenBy(caller) })
    const suspects = runs.filter((row) => row.denials >= 3).slice(0, maxLooked)
    const found = await Promise.all(suspects.map((row) => stuckRun(store, row)))
    return reply(200, { runs: found.flat() })
  }),

  serve(endpoints.getProgram, async ({ server, caller, params }, reply) => {
    const found = await findRun(server.runtime, caller, runRef(params.id))
    if (!found.ok) return problemReply(found.error)
    const { hash: program_hash } = found.value.row
    const text = await server.runtime.store.definitions.program(program_hash)
    return reply(200, { program_hash, program: text === undefined ? null : JSON.parse(text) })
  }),

  serve(endpoints.getCall, async ({ server, caller, params }, reply) => {
    const found = await findRun(server.runtime, caller, runRef(params.id))
    if (!found.ok) return problemReply(found.error)
    const callId = params.call
    const blobs = await server.runtime.store.runs.blobsOfCall(found.value.row.runId, callId)
    if (blobs.length === 0) {
      const archived = await server.runtime.store.archive.get(found.value.row.runId)
      if (archived !== undefined) return archivedReply(archived)
      return refuse('not_found', `Nothing is stored for the call ${callId.slice(0, 100)}.`)
    }
    const facts = Object.fromEntries(blobs.map(({ what, text }) => [what, textValue(text)]))
    return reply(200, { call_id: callId, input: facts.input, output: facts.output })
  }),
]

async function stuckRun(store: Store, { runId, seq }: RunRow) {
  const after = Math.max(0, seq - newest)
  const entries = await store.runs.entries(runId, { after, limit: newest })
  const stuck = stuckOn(entries.map(({ entry }) => entry))
  return stuck === null ? [] : [{ run_id: runId, ...stuck }]
}
