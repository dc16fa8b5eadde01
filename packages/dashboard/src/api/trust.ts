import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import { problemOf } from './problem.ts'

/** How far this server can be trusted now. */
export interface Trust {
  readonly mode: string
  readonly level: string
  /** What holds at that level, in a sentence. */
  readonly what: string
  readonly unjudged: number
  readonly gaps: number
}

export const trustQuery = queryOptions({
  queryKey: ['trust'],
  queryFn: async ({ signal }): Promise<Trust | null> => {
    try {
      return readTrust(await ask<unknown>('GET', '/api/trust', { signal }))
    } catch (fault) {
      // An older server does not say.
      if (problemOf(fault).status === 404) return null
      throw fault
    }
  },
})

function readTrust(value: unknown): Trust {
  const facts: Record<string, unknown> = typeof value === 'object' ? { ...value } : {}
  const word = (name: string) => (typeof facts[name] === 'string' ? String(facts[name]) : '')
  const sum = (name: string) => (typeof facts[name] === 'number' ? Number(facts[name]) : 0)
  return {
    mode: word('mode') || 'unknown',
    level: word('level') || 'L0',
    what: word('what'),
    unjudged: sum('unjudged_calls'),
    gaps: sum('enforcement_gaps'),
  }
}
