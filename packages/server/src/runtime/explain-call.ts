import { decideToolCall, err, ok, type Result } from '@statewright/core'
import { actorOf, type Caller } from './caller.ts'
import { changeRun } from './change-run.ts'
import { type CheckAnswer, type CheckRequest, prepareCall, toAnswer } from './check-call.ts'
import { findRun, type RunRef } from './find-run.ts'
import type { RuntimeParts } from './parts.ts'
import { problem, type RuntimeProblem } from './problem.ts'

export type ExplainRequest = RunRef & Pick<CheckRequest, 'tool' | 'server' | 'input' | 'branch'>

/**
 * The decision a call would get now, and why. It takes no counters and opens no approval; the
 * question itself is written down as a probe, since who asks what is worth knowing.
 */
export async function explainCall(
  parts: RuntimeParts,
  caller: Caller,
  request: ExplainRequest,
): Promise<Result<CheckAnswer, RuntimeProblem>> {
  const found = await findRun(parts, caller, request)
  if (!found.ok) return found
  const live = found.value
  const asked = { ...request, callId: parts.clock.newId('probe') }
  const { event } = await prepareCall(parts, caller, asked, live)
  if (event.type !== 'tool_requested') return err(problem('internal', 'The call was not asked.'))
  const { decision } = decideToolCall({
    program: live.program,
    run: live.snapshot,
    by: actorOf(caller),
    at: event.at,
    call: event.call,
    branch: event.branch,
    usage: event.usage,
    external: event.external,
  })
  const noted = await changeRun(parts, caller, { run: live.row.runId }, (_live, facts) => ({
    ...facts,
    type: 'noted',
    entry: 'probe',
    text: `${request.tool.slice(0, 200)} would be: ${decision.kind} ${decision.code ?? ''}`.trim(),
  }))
  return noted.ok ? ok(toAnswer(decision, live.row.runId, asked.callId, [])) : noted
}
