import { toMicros } from '@statewright/core'
import { z } from 'zod'
import { type CallResult, finishCall, noticesOf } from '../../guard/finish-call.ts'
import { type Adapter, type CallRequest, openCall } from '../../guard/guarded-call.ts'
import { viewRun } from '../../runtime/runtime.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { inSpan } from '../observe/traces.ts'
import { DecisionShape, Id, SessionId } from './shapes.ts'
import { wireAllow, wireDenial } from './wire.ts'

const Check = z.object({
  run: Id.optional(),
  session: SessionId.optional(),
  tool: Id.describe('Name of the tool, as the client calls it.'),
  input: z.unknown().optional(),
  call_id: Id.optional().describe('A repeated id gets the same answer and counts once.'),
  branch: Id.optional(),
  server: Id.optional().describe('The MCP server that the tool belongs to.'),
  project: z.string().max(4096).optional(),
  workspace: z.string().max(4096).optional(),
})
type Check = z.infer<typeof Check>

const Result = z.object({
  run: Id.optional(),
  session: SessionId.optional(),
  call_id: Id,
  tool: Id.optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  bytes: z.int().min(0).optional(),
  exit: z.union([z.enum(['success', 'failure']), z.int()]).optional(),
  cost_usd: z.number().min(0).max(1_000_000).optional(),
  duration_ms: z.number().min(0).optional(),
  branch: Id.optional(),
})
type Result = z.infer<typeof Result>

const ResultAnswer = z.object({
  state: z.string(),
  notices: z.array(z.string()),
  interrupt: z
    .object({ name: z.string(), file: z.string(), from: z.string(), to: z.string() })
    .optional(),
})

export const callRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/check',
    who: 'hook',
    summary: 'Judge a tool call before it is made.',
    body: Check,
    answers: { 200: DecisionShape },
    handle: check,
  }),
  route({
    method: 'POST',
    path: '/api/result',
    who: 'hook',
    summary: 'Report what became of a call that was let through.',
    body: Result,
    answers: { 200: ResultAnswer },
    handle: result,
  }),
]

/** Whatever fails in here is a denial: a guarded call gets no "perhaps" (invariant 1). */
async function check(call: Call<Check, undefined>): Promise<Reply> {
  const { parts, caller, body } = call
  if (body.run === undefined && body.session === undefined) {
    return refuse('usage', 'The call names neither a run nor a session.', { where: 'run' })
  }
  const opened = await inSpan('check', { 'statewright.tool': body.tool }, () =>
    openCall(parts.guard, overHttp, caller, callRequest(body)),
  )
  if (opened.ok) return json(200, wireAllow(opened.value))
  const { code, message } = opened.error
  return code === 'unknown_run' ? refuse(code, message) : json(200, wireDenial(opened.error))
}

/** Whoever asks here runs the call, in an environment and a sandbox that we know nothing of. */
const overHttp: Adapter = {
  name: 'whoever asks over HTTP',
  runs: 'as_it_is',
  waitsMs: 0,
  readsByShell: false,
  results: 'reported',
}

function callRequest(body: Check): CallRequest {
  const { run, session, tool, input, call_id, branch, server, project, workspace } = body
  return {
    ...(run === undefined ? {} : { run }),
    ...(session === undefined ? {} : { session }),
    tool,
    input: input ?? {},
    ...(call_id === undefined ? {} : { callId: call_id }),
    ...(branch === undefined ? {} : { branch }),
    ...(server === undefined ? {} : { server }),
    ...(project === undefined ? {} : { project }),
    ...(workspace === undefined ? {} : { workspace }),
  }
}

async function result({ parts, caller, body }: Call<Result, undefined>): Promise<Reply> {
  const done = await finishCall(parts.runtime, caller, callResult(body))
  if (!done.ok) return problemReply(done.error)
  const { live } = done.value
  const notices = noticesOf(done.value)
  const view = viewRun(live, caller, body.branch)
  const fired = notices.some((notice) => notice.startsWith('[STATEWRIGHT INTERRUPT]'))
  const { interrupt } = view
  return json(200, {
    state: view.state,
    notices,
    ...(fired && interrupt !== null
      ? {
          interrupt: {
            name: interrupt.name,
            file: interrupt.file,
            from: interrupt.return_to,
            to: view.state,
          },
        }
      : {}),
  })
}

function callResult(body: Result): CallResult {
  const { run, session, call_id, cost_usd, duration_ms, branch, output } = body
  return {
    ...(run === undefined ? {} : { run }),
    ...(session === undefined ? {} : { session }),
    callId: call_id,
    bytes: body.bytes ?? bytesOf(body.output),
    exit: exitOf(body.exit),
    // Whoever comes through this door only says so; nobody of ours saw the call end (WF-31).
    source: overHttp.results,
    ...(cost_usd === undefined ? {} : { costMicros: toMicros(cost_usd) }),
    ...(duration_ms === undefined ? {} : { durationMs: duration_ms }),
    ...(branch === undefined ? {} : { branch }),
    ...(output === undefined ? {} : { output: textOf(output) }),
  }
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function bytesOf(output: unknown): number {
  if (output === undefined || output === null) return 0
  return Buffer.byteLength(textOf(output))
}

function exitOf(exit: Result['exit']): 'success' | 'failure' | null {
  if (exit === undefined) return null
  if (typeof exit === 'number') return exit === 0 ? 'success' : 'failure'
  return exit
}
