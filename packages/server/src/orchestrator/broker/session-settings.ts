import {
  type AgentSettings,
  type AgentState,
  agentError,
  type Json,
  type JsonObject,
  type SessionLimits,
  sessionTimeouts,
} from '@statewright/core/internal'
import type { SessionRow } from '../../store/session-store.ts'
import type { Harness } from '../ports.ts'
import type { BrokerOptions, SpawnRequest } from './broker-options.ts'

/** What a session works by from its start on: the hooks and limits of this moment. */
export function startOf(
  { hooks: readHooks, runtime }: Pick<BrokerOptions, 'hooks' | 'runtime'>,
  harness: Harness,
  session: Pick<SpawnRequest, 'projectPath' | 'options' | 'limits'>,
  before: Pick<AgentState, 'settings' | 'chosenModel'> = {
    settings: null,
    chosenModel: null,
  },
) {
  const { hooks, problem } = readHooks()
  const { projectPath, options, limits = before.settings?.limits ?? {} } = session
  const chosen = { ...runtime.settings.sessions, ...limits }
  const contextTokens = windowOf(harness, before.chosenModel ?? options.model, chosen)
  return {
    settings: {
      ...before.settings,
      ...boundsOf(harness, chosen),
      ...(contextTokens === undefined ? {} : { contextTokens }),
      limits,
      harness: harness.name,
      projectPath,
      hooks,
    },
    warnings: problem === null ? [] : [agentError('hook_config_invalid', problem)],
  }
}

/** Windows of the models that we know by name; a smaller one only compacts earlier. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/claude/i, 200_000],
  [/gpt-4\.1/i, 1_000_000],
  [/gpt-5/i, 400_000],
  [/(?:^|\/)o\d/i, 200_000],
]
const usualWindow = 128_000

/** How much the model takes; an agent that keeps the conversation itself knows it itself. */
export function windowOf(
  harness: Pick<Harness, 'runsOwnTools'>,
  model: Json | undefined,
  { context_tokens: chosen }: SessionLimits,
): number | undefined {
  if (harness.runsOwnTools) return undefined
  const known = windows.find(([name]) => typeof model === 'string' && name.test(model))
  return chosen ?? known?.[1] ?? usualWindow
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

/** What a command may make a stored session work by: again, or with another model. */
export function settingsFor(
  broker: Pick<BrokerOptions, 'hooks' | 'runtime'>,
  harness: Harness,
  { projectPath, options: stored }: SessionRow,
  state: Pick<AgentState, 'settings' | 'chosenModel'>,
) {
  const options: JsonObject = JSON.parse(stored)
  return {
    atStart: () => startOf(broker, harness, { projectPath, options }, state),
    chosen: (model: string | null) => {
      const limits = { ...broker.runtime.settings.sessions, ...state.settings?.limits }
      const contextTokens = windowOf(harness, model ?? options.model, limits)
      return { model, ...(contextTokens === undefined ? {} : { contextTokens }) }
    },
  }
}
