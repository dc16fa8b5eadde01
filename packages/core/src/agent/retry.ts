import type { HookConfig } from './hook-config.ts'
import type { HookRunRecord, ToolRunRecord } from './records.ts'

/** Delays before each further attempt of a model request; there is none after the last. */
const llmRetryDelaysMs = [250, 1000] as const
const toolRetryDelaysMs = [500] as const

/** How long until the next attempt, or nothing when the retries are used up. */
export function llmRetryDelay(attempt: number): number | undefined {
  return llmRetryDelaysMs[attempt - 1]
}

/** What a tool that changes things has done before it broke is unknown: never by itself (SE-5). */
export function toolRetryDelay(
  run: Pick<ToolRunRecord, 'mutating' | 'attempt'>,
): number | undefined {
  return run.mutating ? undefined : toolRetryDelaysMs[run.attempt - 1]
}

export function hookRetryDelay(
  hook: Pick<HookConfig, 'failure_policy'>,
  run: Pick<HookRunRecord, 'attempt'>,
): number | undefined {
  const { failure_policy: policy } = hook
  if (policy.type !== 'retry' || run.attempt >= policy.max_attempts) return undefined
  return policy.delay_ms
}

/** How far a session goes by itself, where neither its start nor the configuration says. */
export const sessionLimits = {
  maxTurns: 1000,
  /** An agent at work makes tens of requests in a turn; one that runs away makes thousands. */
  maxRequests: 200,
  /** Batches in a row of which no call worked: it is not getting anywhere. */
  maxFruitless: 25,
} as const

export const sessionTimeouts = {
  /** Silence of a model, before its first word and between two. */
  llmTimeoutMs: 120_000,
  llmTotalMs: 1_800_000,
  toolTimeoutMs: 300_000,
  hookTimeoutMs: 120_000,
  /** A harness that was asked to stop is killed after this. */
  stopMs: 5000,
  /** Runners end what is too slow themselves; this long after, the run counts as hung. */
  graceMs: 5000,
  streamGapMs: 5000,
} as const
