import { defined, toMicros } from '@statewright/core/internal'
import { type BodyOf, endpoints } from '@statewright/core/wire'
import { type CallResult, finishCall, noticesOf } from '../../guard/finish-call.ts'
import { type Adapter, type CallRequest, openCall } from '../../guard/guarded-call.ts'
import { viewRun } from '../../runtime/runs/read-run.ts'
import { tooDear } from '../../runtime/runs/report-cost.ts'
import { workFolder } from '../../runtime/runs/scope.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type Answering, type CallOf, type Route, serve } from '../pipeline/route.ts'
import { wireAllow, wireDenial } from './wire.ts'

type Check = BodyOf<typeof endpoints.checkCall>
type Report = BodyOf<typeof endpoints.reportCall>

export const callRoutes: readonly Route[] = [
  serve(endpoints.checkCall, check),
  serve(endpoints.reportCall, report),
]

/** Whatever fails in here is a denial: a guarded call gets no "perhaps" (invariant 1). */
async function check(
  { server, caller, body }: CallOf<typeof endpoints.checkCall>,
  reply: Answering<typeof endpoints.checkCall>,
): Promise<Reply> {
  if (body.run === undefined && body.session === undefined) {
    return refuse('usage', 'The call names neither a run nor a session.', { where: 'run' })
  }
  const workspace = await workFolder(server.runtime, caller, body.workspace)
  if (!workspace.ok) return problemReply(workspace.error)
  const request = callRequest({ ...body, workspace: workspace.value })
  const opened = await openCall(server.guard, overHttp, caller, request)
  if (opened.ok) return reply(200, wireAllow(opened.value))
  const { code, message } = opened.error
  return code === 'unknown_run' ? refuse(code, message) : reply(200, wireDenial(opened.error))
}

/** Anyone who asks here runs the call, in an environment and a sandbox that we know nothing of. */
const overHttp: Adapter = {
  name: 'whoever asks over HTTP',
  runs: 'as_it_is',
  waitsMs: 0,
  readsByShell: false,
  results: 'reported',
}

function callRequest({ call_id, input = {}, ...body }: Check): CallRequest {
  return { ...defined({ ...body, callId: call_id }), input }
}

async function report(
  { server, caller, body }: CallOf<typeof endpoints.reportCall>,
  reply: Answering<typeof endpoints.reportCall>,
): Promise<Reply> {
  const dear = tooDear(server.runtime.settings, toMicros(body.cost_usd ?? 0))
  if (dear !== undefined) return problemReply(dear)
  const done = await finishCall(server.runtime, caller, callResult(body))
  if (!done.ok) return problemReply(done.error)
  const notices = noticesOf(done.value)
  const { state, interrupt } = viewRun(done.value.live, caller, body.branch)
  const fired = notices.some((notice) => notice.startsWith('[STATEWRIGHT INTERRUPT]'))
  if (!fired || interrupt === null) return reply(200, { state, notices })
  const { name, file, return_to: from } = interrupt
  return reply(200, { state, notices, interrupt: { name, file, from, to: state } })
}

function callResult(body: Report): CallResult {
  const { run, session, call_id: callId, cost_usd, duration_ms: durationMs, branch, output } = body
  return {
    callId,
    bytes: body.bytes ?? bytesOf(output),
    exit: exitOf(body.exit),
    // Anyone who comes through this door only says so; nobody of ours saw the call end (WF-31).
    source: overHttp.results,
    ...defined({
      run,
      session,
      costMicros: cost_usd === undefined ? undefined : toMicros(cost_usd),
      durationMs,
      branch,
      output: output === undefined ? undefined : textOf(output),
    }),
  }
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function bytesOf(output: unknown): number {
  if (output === undefined || output === null) return 0
  return Buffer.byteLength(textOf(output))
}

function exitOf(exit: Report['exit']): 'success' | 'failure' | null {
  if (exit === undefined) return null
  if (typeof exit === 'number') return exit === 0 ? 'success' : 'failure'
  return exit
}
