import type { JsonObject } from '../base/json.ts'
import type { GuardReading } from '../run/entries.ts'
import type { LaneName } from '../run/lanes.ts'
import { type Draft, record } from './draft.ts'

export interface Moved {
  readonly from: string
  readonly to: string
  readonly event?: string
  readonly data?: JsonObject | undefined
  readonly by?: string
  readonly guards?: readonly GuardReading[]
  readonly advice?: string | null
  readonly safeNext?: boolean
}

/** Writes a transition into the history and counts it (WF-21). */
export function recordTransition(draft: Draft, lane: LaneName, moved: Moved): void {
  const { event } = draft
  const name = moved.event ?? (event.type === 'transition_requested' ? event.event : '')
  const data = moved.data ?? (event.type === 'transition_requested' ? event.data : undefined)
  record(
    draft,
    {
      type: 'transitioned',
      from: moved.from,
      to: moved.to,
      event: name,
      by: moved.by ?? event.by.id,
      ...(data === undefined ? {} : { data }),
      ...(typeof data?.rationale === 'string' ? { rationale: data.rationale } : {}),
      ...(moved.guards === undefined || moved.guards.length === 0 ? {} : { guards: moved.guards }),
      ...(moved.advice ? { advice: moved.advice } : {}),
      ...(moved.safeNext ? { safe_next: true } : {}),
    },
    lane,
  )
  draft.run = { ...draft.run, transitionCount: draft.run.transitionCount + 1 }
}
