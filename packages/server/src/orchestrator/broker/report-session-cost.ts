import {
  type AgentAction,
  payloadNumber,
  payloadText,
  type StreamEvent,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { reportCost, reportUsage } from '../../runtime/report-cost.ts'
import type { Runtime } from '../../runtime/runtime.ts'

export interface TellingSession {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly session: string
}

/** Whether an event of a stream says what it cost: each cost is told once. */
function tellsCost({ type }: StreamEvent): boolean {
  return type === 'metadata' || type === 'completed'
}

/** What the events of a step cost, in whole micro-dollars. */
export function costOf(actions: readonly AgentAction[]): number {
  const usd = costsIn(actions).reduce((sum, event) => sum + payloadNumber(event, 'costUsd'), 0)
  return Math.max(0, Math.round(usd * 1_000_000))
}

/**
 * Tells the run that judges a session what a step of it cost, so that its budget holds for models
 * as for tools (PR-9b). Where the price of a model is not known, the history of the run says so.
 */
export async function tellCost(
  { runtime, caller, session }: TellingSession,
  actions: readonly AgentAction[],
): Promise<void> {
  const micros = costOf(actions)
  // Without a run there is no budget; the session itself has counted it.
  if (micros > 0) await reportCost(runtime, caller, { session }, micros, { isCounted: true })
  for (const event of costsIn(actions)) {
    if (!Object.hasOwn(event.payload, 'costUnknown')) continue
    const input = payloadNumber(event, 'inputTokens')
    const usage = { input, output: payloadNumber(event, 'outputTokens') }
    const model = payloadText(event, 'model')
    await reportUsage(runtime, caller, { session }, { model, usage })
  }
}

export function hasCost(actions: readonly AgentAction[]): boolean {
  return costsIn(actions).length > 0
}

/** Events that say what an answer cost or took. */
export function costsIn(actions: readonly AgentAction[]): StreamEvent[] {
  return actions.flatMap((action) =>
    action.type === 'emit_stream_event' && tellsCost(action.event) ? [action.event] : [],
  )
}
