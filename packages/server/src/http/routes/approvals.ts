import { consequences, defined } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { resolveApproval, type Verdict } from '../../runtime/runs/approvals.ts'
import { seesRunOf } from '../../runtime/runs/scope.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ApprovalRow } from '../../store/store.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type Answering, type CallOf, type Route, serve } from '../pipeline/route.ts'
import { commandMarks } from './command-marks.ts'
import { wireApproval } from './wire.ts'

type Resolve = typeof endpoints.approve

export const approvalRoutes: readonly Route[] = [
  serve(endpoints.listApprovals, async ({ server, caller, query }, reply) => {
    const { run, ...filter } = query
    const rows = await server.runtime.store.approvals.list(defined({ ...filter, runId: run }))
    const visible: ApprovalRow[] = []
    for (const row of rows) {
      if (await seesRunOf(server.runtime, caller, row.runId)) visible.push(row)
    }
    const approvals = await Promise.all(visible.map((row) => shown(server.runtime, row)))
    return reply(200, { approvals })
  }),

  serve(endpoints.getApproval, async ({ server, caller, params }, reply) => {
    const row = await server.runtime.store.approvals.get(params.id)
    if (row === undefined || !(await seesRunOf(server.runtime, caller, row.runId))) {
      const next = 'GET /api/approvals lists them.'
      return refuse('unknown_approval', 'There is no such approval.', { next })
    }
    return reply(200, await shown(server.runtime, row))
  }),

  serve(endpoints.approve, (call, reply) =>
    resolve(call, reply, { verdict: 'approve', ...defined(call.body) }),
  ),
  serve(endpoints.reject, (call, reply) =>
    resolve(call, reply, { verdict: 'reject', note: call.body.reason }),
  ),
]

/** With what each answer to what waits would bring, told from where its run stands (WF-22c). */
async function shown({ live }: Runtime, row: ApprovalRow) {
  const run = row.status === 'waiting' ? await live.get(row.runId) : undefined
  const reported = run && consequences(run.program, run.snapshot, row.approvalId)
  const approval = wireApproval(row)
  return {
    ...approval,
    marks: row.status === 'waiting' ? commandMarks(approval.input) : undefined,
    if_approved: reported?.ifApproved,
    if_rejected: reported?.ifRejected,
    if_expired: reported?.ifExpired,
    if_always: reported?.ifAlways,
  }
}

async function resolve(
  { server, caller, params }: Pick<CallOf<Resolve>, 'server' | 'caller' | 'params'>,
  reply: Answering<Resolve>,
  verdict: Omit<Verdict, 'approvalId'>,
): Promise<Reply> {
  const given = { approvalId: params.id, ...verdict }
  const done = await resolveApproval(server.runtime, caller, given)
  return done.ok ? reply(200, wireApproval(done.value)) : problemReply(done.error)
}
