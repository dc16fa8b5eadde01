import {
  type AgentSettings,
  agentError,
  type SessionLimits,
  sessionTimeouts,
} from '@statewright/core/internal'
import type { Harness } from '../ports.ts'
import type { BrokerOptions } from './broker-options.ts'

/** What a session works by from its start on: the hooks and limits of this moment. */
export function startOf(
  { hooks: readHooks, runtime }: Pick<BrokerOptions, 'hooks' | 'runtime'>,
  harness: Harness,
  { projectPath, limits }: { readonly projectPath: string; readonly limits?: SessionLimits },
  before: AgentSettings | null = null,
) {
  const { hooks, problem } = readHooks()
  const bounds = boundsOf(harness, { ...runtime.settings.sessions, ...limits })
  return {
    settings: { ...before, ...bounds, harness: harness.name, projectPath, hooks },
    warnings: problem === null ? [] : [agentError('hook_config_invalid', problem)],
  }
}

/** The limits in the words of the machine; what nobody says has its usual value. */
function boundsOf(
  harness: Pick<Harness, 'llmTimeoutMs'>,
  limits: SessionLimits,
): Omit<AgentSettings, 'harness' | 'projectPath' | 'hooks'> {
  const { max_turns, max_requests, max_cost_usd, llm_total_ms, tool_timeouts_ms } = limits
  const usualMs = harness.llmTimeoutMs ?? sessionTimeouts.llmTimeoutMs
  return {
    llmTimeoutMs: limits.llm_silence_ms ?? usualMs,
    ...(llm_total_ms === undefined ? {} : { llmTotalMs: llm_total_ms }),
    ...(max_turns === undefined ? {} : { maxTurns: max_turns }),
    ...(max_requests === undefined ? {} : { maxRequests: max_requests }),
    ...(max_cost_usd === undefined ? {} : { maxCostUsd: max_cost_usd }),
    ...(tool_timeouts_ms === undefined ? {} : { toolTimeoutsMs: tool_timeouts_ms }),
  }
}
