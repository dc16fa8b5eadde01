import type { RunSnapshot } from '@statewright/core/internal'

/** A snapshot without ids; times keep their order, digests whether they are current. */
export function snapshotText(
  run: RunSnapshot,
  changed: { readonly source: number; readonly defining: number },
  memory: unknown,
  counts: { readonly countsCalls: boolean; readonly countsFiles: boolean; readonly now: number },
): string {
  const times = [...new Set(timesIn({ ...run, facts: undefined, marks: undefined }))].sort(
    (left, right) => left - right,
  )
  return JSON.stringify([run, memory, changed.defining > 0], (key, value) => {
    if (key === 'facts') return factsText(value, counts.now)
    if (key === 'marks')
      return JSON.stringify(value?.small === undefined ? [] : Object.keys(value.small).sort())
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
    'counted',
  ],
])

/** What is known, and whether it will be forgotten by the next time that is waited for. */
function factsText(facts: RunSnapshot['facts'], now: number): string {
  const { values = {} } = facts?.small?.r ?? {}
  const known = Object.entries(values).map(([key, { value, at }]) => {
    return JSON.stringify([key, value, now - at < 600_000])
  })
  return known.sort().join()
}

function timesIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'at' && typeof inner === 'number' ? [inner] : timesIn(inner),
  )
}
