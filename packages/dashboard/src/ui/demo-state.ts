import { useSyncExternalStore } from 'react'

/** The run that the demo plays in, until the person has seen enough of it. */
let run: string | null = null
const listeners = new Set<() => void>()

export function setDemoRun(runId: string | null): void {
  run = runId
  for (const listener of listeners) listener()
}

export function useDemoRun(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => run,
  )
}
