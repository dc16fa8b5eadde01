import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import type { ErrorSource } from './kinds.ts'
import type { AgentError } from './records.ts'

export interface ErrorFacts {
  readonly retryable: boolean | 'policy'
  readonly source: ErrorSource
}

/** The table of docs/spec/session.md: what an error of a session means. */
export const agentErrors = {
  session_not_found: { retryable: false, source: 'orchestrator' },
  state_transition_invalid: { retryable: false, source: 'orchestrator' },
  harness_failed: { retryable: true, source: 'harness' },
  tool_execution_failed: { retryable: true, source: 'tool' },
  hook_execution_failed: { retryable: 'policy', source: 'hook' },
  streaming_failed: { retryable: true, source: 'harness' },
  turn_limit_reached: { retryable: true, source: 'orchestrator' },
  model_denied: { retryable: false, source: 'orchestrator' },
  session_budget_exhausted: { retryable: false, source: 'orchestrator' },
  hook_config_invalid: { retryable: false, source: 'hook' },
} as const satisfies Readonly<Record<string, ErrorFacts>>

export type AgentErrorCode = keyof typeof agentErrors

/** An error by its row; `retryable` narrows it where the case at hand allows no retry. */
export function agentError(code: AgentErrorCode, message: string, retryable = true): AgentError {
  const facts: ErrorFacts = agentErrors[code]
  return {
    code,
    message: cut(message, limits.messageLength),
    retryable: facts.retryable !== false && retryable,
    source: facts.source,
  }
}
