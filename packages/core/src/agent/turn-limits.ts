import { own } from '../base/own.ts'
import { agentError } from './errors.ts'
import { hasRunEnded } from './kinds.ts'
import type { AgentError, ToolRunRecord } from './records.ts'
import { sessionLimits } from './retry.ts'
import type { AgentState } from './state.ts'
import { payloadNumber, type StreamEvent } from './stream-event.ts'

/** Why no further request is made in this turn, if one must not be (SE-5a). */
export function limitReached({
  settings,
  turn,
  fruitless,
  spentUsd,
}: AgentState): AgentError | undefined {
  const { maxRequests = sessionLimits.maxRequests, maxCostUsd } = settings ?? {}
  if (maxCostUsd !== undefined && spentUsd >= maxCostUsd) {
    const spent = `$${spentUsd.toFixed(2)} of $${maxCostUsd.toFixed(2)} spent`
    const message = `The budget of this session is used up (${spent}). The model was not asked.`
    return agentError('session_budget_exhausted', message, false)
  }
  if (turn.requests >= maxRequests) {
    const message =
      `The model was asked ${turn.requests} times in this turn and has not come to an end. ` +
      'Retry to let it go on, or say what it should do.'
    return agentError('turn_limit_reached', message)
  }
  if (fruitless >= sessionLimits.maxFruitless) {
    const message =
      `The model seems stuck: none of its calls worked in ${fruitless} batches in a row. ` +
      'Say what the agent should do instead, or retry.'
    return agentError('turn_limit_reached', message)
  }
  return undefined
}

/** Counts batches in a row of which no call worked; one that worked begins the count again. */
export function countBatch(state: AgentState, runs: readonly ToolRunRecord[]): AgentState {
  const hasWorked = runs.some(
    ({ status, isError }) => hasRunEnded(status) && status === 'succeeded' && isError !== true,
  )
  const fruitless = hasWorked ? 0 : state.fruitless + 1
  return fruitless === state.fruitless ? state : { ...state, fruitless }
}

/** What an event of a stream says was used; each use is told once. */
export function countUsage(state: AgentState, event: StreamEvent): AgentState {
  if (event.type !== 'completed' && event.type !== 'metadata') return state
  const costUsd = Math.max(0, payloadNumber(event, 'costUsd'))
  const inputTokens = payloadNumber(event, 'inputTokens')
  const outputTokens = payloadNumber(event, 'outputTokens')
  const isUnpriced = own(event.payload, 'costUnknown') !== undefined
  if (costUsd + inputTokens + outputTokens === 0 && !isUnpriced) return state
  const { turn } = state
  return {
    ...state,
    unpriced: state.unpriced + (isUnpriced ? 1 : 0),
    spentUsd: state.spentUsd + costUsd,
    turn: {
      ...turn,
      costUsd: turn.costUsd + costUsd,
      inputTokens: turn.inputTokens + inputTokens,
      outputTokens: turn.outputTokens + outputTokens,
    },
  }
}
