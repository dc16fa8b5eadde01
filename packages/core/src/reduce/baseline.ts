import type { DigestFacts } from '../run/events.ts'
import type { Frame, RunSnapshot } from '../run/snapshot.ts'

type Baseline = Frame['baseline']

/** What says what a command does, as the run begins: later changes need a person (WF-31). */
export function baselineAtStart(digests: DigestFacts | undefined): Baseline {
  const entries = Object.entries(digests ?? {}).map(([name, { definedBy }]) => [name, definedBy])
  return Object.fromEntries(entries)
}

/** An invoked definition is held against the start of the run as well, not against its own. */
export function baselineOfChild(run: RunSnapshot, machine: string): Baseline {
  const prefix = `${machine}/`
  const entries = Object.entries(run.main.frames[0]?.baseline ?? {})
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, digest]) => [name.slice(prefix.length), digest])
  return Object.fromEntries(entries)
}
