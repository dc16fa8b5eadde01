import { freshIds } from './ids.ts'
import type { RetryTarget } from './records.ts'
import { reduceAgent } from './reduce-agent.ts'
import type { AgentState } from './state.ts'

/**
 * What a person may have done again right now: failed tool and hook runs, the model, the start of
 * the harness. The machine itself is
 * asked: a second list of conditions would one day offer a button that is refused.
 */
export function possibleRetries(state: AgentState): readonly RetryTarget[] {
  if (state.kind !== 'error' && state.kind !== 'ready') return []
  const targets: readonly RetryTarget[] = [
    { kind: 'llm' },
    { kind: 'harness' },
    ...state.toolRuns.map(({ runId }) => ({ kind: 'tool', runId }) as const),
    ...state.hookRuns.map(({ runId }) => ({ kind: 'hook', runId }) as const),
  ]
  const ids = freshIds(state, () => 'trial')
  return targets.filter((target) => {
    const step = reduceAgent(state, { type: 'retry_timeout', target, by: 'person', ids }, 0)
    return step.refusal === undefined
  })
}
