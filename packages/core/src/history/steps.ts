import type { Entry } from '../run/entries.ts'

/** The entries of one event: the first of them carries it. */
export type RecordedStep = readonly [Entry, ...Entry[]]

/** A history in steps: between the entries of one step a run never stood. */
export function stepsOf(entries: readonly Entry[]): RecordedStep[] {
  const steps: [Entry, ...Entry[]][] = []
  for (const entry of entries) {
    if (entry.cause !== undefined) steps.push([entry])
    else steps.at(-1)?.push(entry)
  }
  return steps
}
