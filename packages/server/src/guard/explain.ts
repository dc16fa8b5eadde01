import {
  type Decision,
  decideToolCall,
  machineOfCaller,
  ok,
  type Phrase,
  phrase,
  type Result,
} from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import type { RuntimeProblem } from '../base/problem.ts'
import { type DefinedFact, factsOfCall } from '../evidence/defining-files.ts'
import { changeRun } from '../runtime/runs/change-run.ts'
import { findRun, type RunRef } from '../runtime/runs/find-run.ts'
import { type Adapter, factsOf } from './adapter.ts'
import type { CallRequest } from './call-request.ts'
import type { Guard } from './guard.ts'
import { type JudgedCall, judgedCall } from './judge-call.ts'
import { prepareCall } from './prepare-call.ts'

export { type ExplainedPolicy, explainPolicies } from './explain-policy.ts'

export type ExplainRequest = RunRef &
  Pick<CallRequest, 'tool' | 'server' | 'listed' | 'input' | 'branch'>

export type ExplainedCall = JudgedCall & {
  /** Evidence that the call gives, with the files that say what it does (WF-31c). */
  readonly proves: readonly DefinedFact[]
}

/** Where nobody says who would run the call, it is we ourselves, who can do most for it. */
const ourselves: Adapter = {
  name: 'statewright',
  runs: 'itself',
  waitsMs: 0,
  readsByShell: false,
  results: 'reported',
}

/**
 * The decision a call would get now, and why. It takes no counters and opens no approval; the
 * question itself is written down as a probe, since who asks what is worth knowing.
 */
export async function explainCall(
  { runtime, sandbox }: Guard,
  caller: Caller,
  request: ExplainRequest,
  adapter: Adapter = ourselves,
): Promise<Result<ExplainedCall, RuntimeProblem>> {
  const found = await findRun(runtime, caller, request)
  if (!found.ok) return found
  const live = found.value
  const { runId, workspace } = live.row
  const named = { ...asListed(runtime, request), callId: runtime.clock.newId('probe') }
  const facts = factsOf(adapter, runtime.settings, sandbox)
  // Nothing is committed that could tell whether other policies hold by now.
  await runtime.policies.current()
  const { event } = await prepareCall(runtime, caller, named, facts, live)
  const { program, snapshot: run } = live
  const { decision } = decideToolCall({ program, run, ...event })
  const noted = await changeRun(runtime, caller, { run: runId }, (_live, facts) => ({
    ...facts,
    type: 'noted',
    entry: 'probe',
    text: probeText(request.tool.slice(0, 200), decision),
  }))
  if (!noted.ok) return noted
  const judged = judgedCall(decision, { runId, workspace, callId: named.callId, notices: [] })
  const machine = machineOfCaller(program, run, event.by, request.branch)
  return ok({
    ...judged,
    proves: workspace === null ? [] : factsOfCall(machine, event.call, workspace),
  })
}

/** A tool behind the gateway may be asked about as it is listed there (WF-6c). */
function asListed({ servers }: Guard['runtime'], request: ExplainRequest): ExplainRequest {
  if (request.server !== undefined) return request
  for (const { server, tools, listed } of servers.tools()) {
    const isMeant = (name: string, index: number) =>
      name === request.tool || `mcp__${server}__${tools[index]}` === request.tool
    const at = listed.findIndex(isMeant)
    const [tool, name] = [tools[at], listed[at]]
    if (tool !== undefined && name !== undefined) return { ...request, server, tool, listed: name }
  }
  return request
}

function probeText(tool: string, { kind: decision, code }: Decision): Phrase {
  if (code === undefined) return phrase('probe_decision', { tool, decision })
  return phrase('probe_denied', { tool, decision, code })
}
