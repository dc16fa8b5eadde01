import { jsonEqual } from '../base/json.ts'
import type { Program } from '../machine/machine.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { brokenLink, type ChainedEntry, type HashText } from './chain.ts'
import { replay } from './replay.ts'

export type Verified =
  | { readonly ok: true; readonly entries: number }
  | { readonly ok: false; readonly entries: number; readonly seq: number; readonly problem: string }

export interface Stored {
  readonly runId: string
  readonly program: Program
  readonly entries: readonly ChainedEntry[]
  readonly snapshot: RunSnapshot
}

/** Whether a stored run is whole: its chain holds and its history gives the stored snapshot. */
export function verify(stored: Stored, hashText: HashText): Verified {
  const { runId, program, entries, snapshot } = stored
  const count = entries.length
  const broken = brokenLink(runId, entries, hashText)
  if (broken !== null) return { ok: false, entries: count, ...broken }
  const replayed = replay(
    program,
    entries.map((link) => link.entry),
  )
  if (!replayed.ok) {
    return { ok: false, entries: count, seq: replayed.index + 1, problem: replayed.problem }
  }
  if (!jsonEqual(replayed.run, snapshot)) {
    const problem = 'the stored snapshot is not what the history gives'
    return { ok: false, entries: count, seq: count, problem }
  }
  return { ok: true, entries: count }
}
