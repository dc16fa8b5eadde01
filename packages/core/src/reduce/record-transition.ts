import type { JsonObject } from '../base/json.ts'
import type { Words } from '../base/text/phrase.ts'
import type { EntryBody, GuardReading } from '../run/entries.ts'
import type { TransitionRequested } from '../run/events.ts'
import type { LaneName } from '../run/lanes.ts'
import { type Draft, record, type Writable } from './draft.ts'

export interface TransitionRecord {
  readonly from: string
  readonly to: string
  readonly event?: string
  readonly data?: JsonObject | undefined
  readonly by?: string
  readonly guards?: readonly GuardReading[]
  readonly advice?: Words | null
  readonly safeNext?: boolean
}

type Transitioned = Extract<EntryBody, { type: 'transitioned' }>

/** Who sent an event, with what and why: part of every move that an agent's event makes (WF-21). */
export function sentBy(event: TransitionRequested): {
  by: string
  data?: JsonObject
  rationale?: string
} {
  const { data, by } = event
  if (data === undefined) return { by: by.id }
  const { rationale } = data
  return { by: by.id, data, ...(typeof rationale === 'string' ? { rationale } : {}) }
}

/** Writes a transition into the history and counts it (WF-21). */
export function recordTransition(draft: Draft, lane: LaneName, moved: TransitionRecord): void {
  const { event } = draft
  const name = moved.event ?? (event.type === 'transition_requested' ? event.event : '')
  const data = moved.data ?? (event.type === 'transition_requested' ? event.data : undefined)
  const entry: Writable<Transitioned> = {
    type: 'transitioned',
    from: moved.from,
    to: moved.to,
    event: name,
    by: moved.by ?? event.by.id,
  }
  if (data !== undefined) entry.data = data
  if (typeof data?.rationale === 'string') entry.rationale = data.rationale
  if (moved.guards !== undefined && moved.guards.length > 0) entry.guards = moved.guards
  if (moved.advice !== undefined && moved.advice !== null && moved.advice !== '')
    entry.advice = moved.advice
  if (moved.safeNext === true) entry.safe_next = true
  record(draft, entry, lane)
  draft.run = { ...draft.run, transitionCount: draft.run.transitionCount + 1 }
}
