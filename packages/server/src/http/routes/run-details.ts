import { type RunStatus, stuckOn } from '@statewright/core'
import { z } from 'zod'
import { findRun } from '../../runtime/find-run.ts'
import { seenBy } from '../../runtime/scope.ts'
import type { RunRow } from '../../store/store.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { runRef, textValue } from './wire.ts'

/** What the pages of people look up besides the history itself. */
export const runDetailRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/stuck',
    who: 'agent',
    summary: 'Runs whose agent got the same denial three times in a row; an agent sees its own.',
    answers: {
      200: z.object({
        runs: z.array(
          z.object({
            run_id: z.string(),
            tool: z.string(),
            code: z.string(),
            times: z.number(),
            since: z.number(),
          }),
        ),
      }),
    },
    handle: stuckRuns,
  }),
  route({
    method: 'GET',
    path: '/api/runs/:id/program',
    who: 'agent',
    summary: 'The definitions that a run is bound to, as they were when it started.',
    answers: { 200: z.looseObject({ hash: z.string(), program: z.unknown() }) },
    handle: programOf,
  }),
  route({
    method: 'GET',
    path: '/api/runs/:id/calls/:call',
    who: 'agent',
    summary: 'The arguments of a call and, where they were kept, its output.',
    answers: {
      200: z.object({
        call_id: z.string(),
        input: z.unknown().optional(),
        output: z.unknown().optional(),
      }),
    },
    handle: callOf,
  }),
]

const live: readonly RunStatus[] = ['running', 'waiting', 'paused']
const mostLooked = 200
const newest = 40

async function stuckRuns({ parts, caller }: Call<undefined, undefined>): Promise<Reply> {
  const { store } = parts.runtime
  const own = seenBy(caller)
  const { runs } = await store.runs.list({ status: live, limit: 500, ...own })
  const suspects = runs.filter((row) => row.denials >= 3).slice(0, mostLooked)
  const found = await Promise.all(suspects.map((row) => stuckRun(parts, row)))
  return json(200, { runs: found.flat() })
}

async function stuckRun({ runtime }: Call<unknown, unknown>['parts'], { runId, seq }: RunRow) {
  const after = Math.max(0, seq - newest)
  const entries = await runtime.store.runs.entries(runId, { after, limit: newest })
  const stuck = stuckOn(entries.map(({ entry }) => entry))
  return stuck === null ? [] : [{ run_id: runId, ...stuck }]
}

async function programOf({ parts, caller, params }: Call<undefined, undefined>): Promise<Reply> {
  const found = await findRun(parts.runtime, caller, runRef(params.id ?? ''))
  if (!found.ok) return problemReply(found.error)
  const { hash } = found.value.row
  const text = await parts.runtime.store.definitions.program(hash)
  return json(200, { hash, program: text === undefined ? null : JSON.parse(text) })
}

async function callOf({ parts, caller, params }: Call<undefined, undefined>): Promise<Reply> {
  const found = await findRun(parts.runtime, caller, runRef(params.id ?? ''))
  if (!found.ok) return problemReply(found.error)
  const callId = params.call ?? ''
  const blobs = await parts.runtime.store.runs.blobsOfCall(found.value.row.runId, callId)
  if (blobs.length === 0) {
    return refuse('not_found', `Nothing is kept of the call ${callId.slice(0, 100)}.`)
  }
  const facts = Object.fromEntries(blobs.map(({ what, text }) => [what, textValue(text)]))
  return json(200, { call_id: callId, ...facts })
}
