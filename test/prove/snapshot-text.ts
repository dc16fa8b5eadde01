import type { RunSnapshot } from '@statewright/core/internal'

/** A snapshot without ids; times keep their order, digests whether they are current. */
export function snapshotText(
  run: RunSnapshot,
  changed: { readonly source: number; readonly defining: number },
  memory: unknown,
  counts: { readonly countsCalls: boolean; readonly countsFiles: boolean },
): string {
  const times = [...new Set(timesIn(run))].sort((left, right) => left - right)
  return JSON.stringify([run, memory, changed.defining > 0], (key, value) => {
    if (dropped.has(key)) return undefined
    if (key === 'at') return times.indexOf(value)
    if (key === 'stale') return value === `${changed.source}`
    if (key === 'definedBy') return value === '0'
    if (key === 'counters') {
      const { iterations, files } = value
      return [
        counts.countsCalls ? Math.min(iterations, 3) : 0,
        counts.countsFiles ? [...files].sort() : 0,
      ]
    }
    if (key === 'calls') return value.filter((one: { status: string }) => one.status !== 'done')
    return value
  })
}

const dropped = new Set([
  ...[
    'id',
    'callId',
    'argsHash',
    'message',
    'openedAt',
    'expiresAt',
    'resolved',
    'rejected',
    'word',
  ],
  ...[
    'baseline',
    'transitionCount',
    'visits',
    'visit',
    'engine',
    'settings',
    'bytes',
    'lastBranches',
    'costMicros',
    'facts',
    'counted',
  ],
])

function timesIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'at' && typeof inner === 'number' ? [inner] : timesIn(inner),
  )
}
