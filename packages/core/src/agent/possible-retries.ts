import { freshIds } from './ids.ts'
import type { RetryTarget } from './records.ts'
import { reduceAgent } from './reduce-agent.ts'
import type { AgentState } from './state.ts'

type RunToRetry = Exclude<RetryTarget, { readonly kind: 'llm' }>

/**
 * The failed tool and hook runs that a person may have run again right now. The machine itself is
 * asked: a second list of conditions would one day offer a button that is refused.
 */
export function possibleRetries(state: AgentState): readonly RunToRetry[] {
  if (state.kind !== 'error') return []
  const targets: readonly RunToRetry[] = [
    ...state.toolRuns.map(({ runId }) => ({ kind: 'tool', runId }) as const),
    ...state.hookRuns.map(({ runId }) => ({ kind: 'hook', runId }) as const),
  ]
  const ids = freshIds(state, () => 'trial')
  return targets.filter((target) => {
    const step = reduceAgent(state, { type: 'retry_timeout', target, by: 'person', ids }, 0)
    return step.refusal === undefined
  })
}
