import { cut } from '../base/cut.ts'
import { isJsonObject, type Json } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import type { AgentEvent, FreshIds } from './events.ts'
import { idAt } from './ids.ts'
import { hasRunEnded } from './kinds.ts'
import { startPipeline } from './on-hooks.ts'
import type { AgentToolCall, ToolRunRecord } from './records.ts'
import type { AgentCall, AgentState } from './state.ts'
import { type AgentStep, beginStep, type Draft, dropLate, endStep, setToolRun } from './step.ts'

type AgentTool = Extract<AgentEvent, { type: 'agent_tool' }>

/** An agent uses a tool of its own: its runs are told like those of ours (SE-6a). */
export function onAgentTool(state: AgentState, event: AgentTool, now: number): AgentStep {
  const { streamId, call, status } = event
  if (streamId !== state.activeStreamId) return dropLate(state, 'call of an agent', call.callId)
  const open = openRun(state, call.callId)
  const draft = beginStep(state, now)
  const run = open ?? newRun(event, now)
  remember(draft, { runId: run.runId, call: bounded(call) })
  if (event.status === 'succeeded') {
    const { isError, error, changedNothing, output = '' } = event
    const ended: ToolRunRecord = {
      ...run,
      toolName: call.name,
      mutating: call.mutating && changedNothing !== true,
      status,
      finishedAtMs: now,
      ...(isError === true ? { isError } : {}),
      ...(error === undefined ? {} : { error: cut(error, limits.messageLength) }),
    }
    setToolRun(draft, ended, output === '' ? undefined : output)
    forget(draft)
  } else if (open?.status !== status && open?.status !== 'running') {
    setToolRun(draft, { ...run, toolName: call.name, mutating: call.mutating, status })
  }
  return endStep(draft)
}

/** The answer of an agent is whole: says whether hooks follow what it has changed. */
export function followAgentCalls(draft: Draft, ids: FreshIds): boolean {
  cancelAgentCalls(draft)
  return startPipeline(draft, agentRuns(draft.state), ids)
}

/** What an agent had begun when its turn broke off: nobody knows what became of it. */
export function cancelAgentCalls(draft: Draft): void {
  for (const run of agentRuns(draft.state)) {
    if (hasRunEnded(run.status)) continue
    setToolRun(draft, { ...run, status: 'canceled', finishedAtMs: draft.now })
  }
  forget(draft)
}

function agentRuns({ agentCalls, toolRuns }: AgentState): ToolRunRecord[] {
  return agentCalls.flatMap((one) => toolRuns.find(({ runId }) => runId === one.runId) ?? [])
}

/** An agent that counts its calls anew in each turn uses an id twice: only an open run is meant. */
function openRun(state: AgentState, callId: string): ToolRunRecord | undefined {
  return agentRuns(state).find((run) => run.callId === callId && !hasRunEnded(run.status))
}

function newRun({ call, ids }: AgentTool, now: number): ToolRunRecord {
  const runId = idAt(ids.toolRunIds, 0)
  const { callId, name: toolName, mutating } = call
  return { runId, callId, toolName, mutating, status: 'queued', startedAtMs: now, attempt: 1 }
}

function remember(draft: Draft, agentCall: AgentCall): void {
  const others = draft.state.agentCalls.filter(({ runId }) => runId !== agentCall.runId)
  draft.state = { ...draft.state, agentCalls: [...others, agentCall] }
}

/** Only open ones and those that hooks must follow are needed later; of these the newest. */
function forget(draft: Draft): void {
  const { agentCalls, toolRuns } = draft.state
  const needed = agentCalls.filter(({ runId }) => {
    const run = toolRuns.find((one) => one.runId === runId)
    if (run === undefined) return false
    return !hasRunEnded(run.status) || (run.status === 'succeeded' && run.mutating)
  })
  draft.state = { ...draft.state, agentCalls: needed.slice(-limits.toolCallsPerBatch) }
}

const argumentLength = 2000

/** The state is written with each step: a whole file that an agent writes does not belong there. */
function bounded(call: AgentToolCall): AgentToolCall {
  return { ...call, arguments: shortened(call.arguments) }
}

function shortened(args: Json): Json {
  if (JSON.stringify(args).length <= argumentLength) return args
  if (!isJsonObject(args)) return null
  const short = Object.entries(args).filter(([, value]) => {
    return (JSON.stringify(value) ?? '').length <= argumentLength / 10
  })
  return Object.fromEntries(short)
}
