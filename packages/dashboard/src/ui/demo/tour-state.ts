import { useSyncExternalStore } from 'react'

/** How far somebody is in the tour through the demo. */
export interface TourState {
  /** The run that the demo plays in. */
  readonly runId: string
  readonly chapter: number
}

const key = 'statewright-tour'
let state: TourState | null = stored()
const listeners = new Set<() => void>()

/** Kept for this tab: who loads the page again is where they were. */
export function setTour(next: TourState | null): void {
  state = next
  try {
    if (next === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Where nothing can be kept, the tour ends with the page.
  }
  for (const listener of listeners) listener()
}

export function useTour(): TourState | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

function stored(): TourState | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (typeof value !== 'object' || value === null) return null
    const { runId, chapter } = { runId: '', chapter: 0, ...value }
    return typeof runId === 'string' && Number.isSafeInteger(chapter) ? { runId, chapter } : null
  } catch {
    return null
  }
}
