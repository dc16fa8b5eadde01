import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import { problemOf } from './problem.ts'

export interface SeenClient {
  readonly client: string
  readonly hooks: number
  readonly sessions: number
  readonly last_seen_at: string
  /** Whether it runs apart from us; null when that cannot be seen. */
  readonly apart: boolean | null
}

/** How far this server can be relied on now. */
export interface Trust {
  readonly level: 'L0' | 'L1' | 'L2'
  /** What holds at that level. */
  readonly sentence: string
  readonly mode: 'enforce' | 'observe'
  readonly strict: boolean
  /** What holds a client session that begins now; an older server does not say. */
  readonly new_sessions?: {
    readonly guard: 'workflow' | 'closed' | 'policies' | 'open' | 'broken'
    readonly sentence: string
    readonly next: string | null
  }
  /** In observe mode: how many calls would have been denied. */
  readonly would_have_denied: number | null
  readonly unjudged: {
    readonly count: number
    readonly last: { readonly at: string; readonly run_id: string; readonly text: string } | null
    readonly runs: Readonly<Record<string, { readonly count: number; readonly blocks: boolean }>>
  }
  /** Runs that their own agents paused; an older server does not say. */
  readonly unguarded?: readonly { readonly run_id: string; readonly workflow: string }[]
  /** The server was dead until then, and calls may have passed unseen. */
  readonly enforcement_gap_until: string | null
  readonly clients: readonly SeenClient[]
}

export const trustQuery = queryOptions({
  queryKey: ['trust'],
  // No entry tells of a switched mode where no run is live: a page that still says "enforcing"
  // when nothing is denied any more would be the worst place to save a question.
  refetchInterval: 20_000,
  refetchOnWindowFocus: 'always',
  queryFn: async ({ signal }): Promise<Trust | null> => {
    try {
      return await ask<Trust>('GET', '/api/trust', { signal })
    } catch (fault) {
      // An older server does not say.
      if (problemOf(fault).status === 404) return null
      throw fault
    }
  },
})
