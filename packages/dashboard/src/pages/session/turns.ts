import type { AgentStateKind, AgentViewItem } from '@statewright/core/internal'
import { count, duration, usd } from '../../model/words/words.ts'

type TurnItem = Extract<AgentViewItem, { kind: 'turn' }>

/** While a turn is under way: what is said now waits for its end, or ends it. */
export function isTurnOpen(state: AgentStateKind): boolean {
  return (
    state === 'calling_llm' ||
    state === 'processing_response' ||
    state === 'executing_tools' ||
    state === 'post_tools_hook'
  )
}

/** What a turn took, in one line; what nobody counted is left out. */
export function turnWords({ usage, endedAtMs }: TurnItem): string {
  const tokens = usage.inputTokens + usage.outputTokens
  const words = [
    duration(endedAtMs - usage.startedAtMs),
    count(usage.requests, 'request'),
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    ...(usage.costUsd === 0 ? [] : [usd(usage.costUsd)]),
  ]
  return words.join(' · ')
}
