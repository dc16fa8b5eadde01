import type { RunSnapshot } from '@statewright/core/internal'

export const runIds: readonly string[] = Array.from({ length: 8 }, (_, n) => `run_${n}`)

/** So wide that nothing ever leaves it: its count is the number of all entries. */
export const crashRate = {
  kind: 'rate',
  key: 'all',
  maxCalls: 100_000,
  windowMs: 1e12,
} as const

export const emptySnapshot: RunSnapshot = {
  status: 'running',
  settings: { strict: false, locked: false },
  main: { frames: [], approval: null },
  fork: null,
  transitionCount: 0,
  visits: 0,
  calls: [],
  asks: [],
  resolved: [],
  lastBranches: [],
  costMicros: 0,
  mailsSent: 0,
}
