import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ActivitySpan, activitySpans } from '../model/activity-span.ts'
import { ask } from './client.ts'

export interface ActivitySlot {
  readonly at: number
  readonly allowed: number
  readonly asked: number
  readonly denied: number
  readonly transitioned: number
  readonly refused: number
  readonly cost_usd: number
  readonly approval_wait_ms: number | null
}

interface Ranked {
  readonly count: number
  readonly run_id: string
}

export interface Activity {
  readonly from: number
  readonly to: number
  readonly slot_ms: number
  readonly slots: readonly ActivitySlot[]
  readonly denials: {
    readonly rules: readonly (Ranked & {
      readonly workflow: string
      readonly rule: string
      readonly code: string
    })[]
    readonly codes: readonly (Ranked & { readonly code: string })[]
    readonly places: readonly (Ranked & { readonly workflow: string; readonly state: string })[]
    readonly tools: readonly (Ranked & { readonly tool: string; readonly code: string })[]
  }
  readonly approvals: {
    readonly opened: number
    readonly approved: number
    readonly rejected: number
    readonly expired: number
    readonly waiting: number
    readonly median_ms: number | null
    readonly slow_ms: number | null
  }
}

const hourMs = 3_600_000
/** Charts of hours need no more; each entry in the feed would ask the store to count again. */
const readEveryMs = 15_000

export function activityQuery(span: ActivitySpan) {
  return queryOptions({
    queryKey: ['activity', span],
    staleTime: 0,
    refetchInterval: readEveryMs,
    // The charts stay while another span is counted; an opened table stays open.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const to = Date.now() + 1
      const from = to - activitySpans[span] * hourMs
      return ask<Activity>('GET', '/api/activity', { query: { from, to }, signal })
    },
  })
}
