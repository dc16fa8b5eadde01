import { consequences } from '@statewright/core'
import { z } from 'zod'
import { resolveApproval, type Verdict } from '../../runtime/approvals.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { seesRunOf } from '../../runtime/scope.ts'
import type { ApprovalRow } from '../../store/store.ts'
import { json, problemReply, type Reply } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { countIn, Id, Note } from './shapes.ts'
import { wireApproval } from './wire.ts'

const List = z.object({
  status: z.enum(['waiting', 'approved', 'rejected', 'expired', 'withdrawn', 'failed']).optional(),
  run: Id.optional(),
  limit: countIn(500, 100),
})
type List = z.infer<typeof List>

const ApprovalShape = z.looseObject({
  approval_id: z.string(),
  run_id: z.string(),
  kind: z.enum(['transition', 'ask', 'checkpoint']),
  status: z.string(),
  message: z.string(),
  opened_at: z.number(),
  expires_at: z.number().optional(),
  agent: z.string().optional().describe('Name of the token that asks.'),
  role: z.string().optional(),
  rationale: z.string().optional().describe('Why the agent answered so, in its own words.'),
  input_more: z.number().optional().describe('Characters of a very long input that were not kept.'),
  if_approved: z.string().optional().describe('What would follow; of what waits only.'),
  if_rejected: z.string().optional(),
  if_expired: z.string().optional(),
  if_always: z.string().optional(),
})

export const approvalRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/approvals',
    who: 'agent',
    summary: 'List approvals; an agent sees those of its runs.',
    query: List,
    answers: { 200: z.object({ approvals: z.array(ApprovalShape) }) },
    handle: list,
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:id/approve',
    who: 'person',
    summary: 'Let it happen.',
    proof: 'approve',
    body: z.object({ note: Note.optional(), always: z.boolean().optional() }),
    answers: { 200: ApprovalShape },
    handle: (call) => {
      const { note, always } = call.body
      return resolve(call, {
        verdict: 'approve',
        ...(note === undefined ? {} : { note }),
        ...(always === undefined ? {} : { always }),
      })
    },
  }),
  route({
    method: 'POST',
    path: '/api/approvals/:id/reject',
    who: 'person',
    summary: 'Do not let it happen, and say why.',
    body: z.object({ reason: Note.min(1) }),
    answers: { 200: ApprovalShape },
    handle: (call) => resolve(call, { verdict: 'reject', note: call.body.reason }),
  }),
]

async function list({ parts, caller, query }: Call<undefined, List>): Promise<Reply> {
  const { status, run, limit } = query
  const rows = await parts.runtime.store.approvals.list({
    limit,
    ...(status === undefined ? {} : { status }),
    ...(run === undefined ? {} : { runId: run }),
  })
  const visible: ApprovalRow[] = []
  for (const row of rows) {
    if (await seesRunOf(parts.runtime, caller, row.runId)) visible.push(row)
  }
  const shown = visible.map(async (row) => ({
    ...wireApproval(row),
    ...(await outcomesOf(parts.runtime, row)),
  }))
  return json(200, { approvals: await Promise.all(shown) })
}

/** What each answer to what waits would bring, told from where its run stands now (WF-22c). */
async function outcomesOf({ live }: RuntimeParts, row: ApprovalRow) {
  const run = row.status === 'waiting' ? await live.get(row.runId) : undefined
  if (run === undefined) return {}
  const told = consequences(run.program, run.snapshot, row.approvalId)
  if (told === undefined) return {}
  const { ifApproved: if_approved, ifRejected: if_rejected, ifExpired, ifAlways } = told
  return {
    if_approved,
    if_rejected,
    ...(ifExpired === undefined ? {} : { if_expired: ifExpired }),
    ...(ifAlways === undefined ? {} : { if_always: ifAlways }),
  }
}

async function resolve(
  call: Call<unknown, undefined>,
  given: Omit<Verdict, 'approvalId'>,
): Promise<Reply> {
  const { parts, caller } = call
  const approvalId = call.params.id ?? ''
  const done = await resolveApproval(parts.runtime, caller, { approvalId, ...given })
  return done.ok ? json(200, wireApproval(done.value)) : problemReply(done.error)
}
