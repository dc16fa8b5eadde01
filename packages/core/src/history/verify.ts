import { jsonEqual } from '../base/json.ts'
import type { Program } from '../machine/machine.ts'
import { engine, engineOf } from '../run/engine.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { brokenLink, type ChainedEntry, type HashText } from './chain.ts'
import { type OlderPart, replay } from './replay.ts'
import { isSameStanding } from './same-standing.ts'

export type Verified =
  | {
      readonly ok: true
      readonly entries: number
      /** What an older engine wrote, which only its chain proves (WF-36). */
      readonly older?: OlderPart
    }
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
  const { run, older } = replayed
  if (!isWhatHistoryGives(snapshot, run, older)) {
    const problem = 'the stored snapshot does not match the history'
    return { ok: false, entries: count, seq: count, problem }
  }
  return { ok: true, entries: count, ...(older === null ? {} : { older }) }
}

function isWhatHistoryGives(
  snapshot: RunSnapshot,
  run: RunSnapshot,
  older: OlderPart | null,
): boolean {
  if (engineOf(snapshot) !== engineOf(run)) return false
  if (engineOf(run) === engine) return jsonEqual(run, snapshot)
  // Where this engine answers otherwise, what it plays proves nothing either way.
  return (older?.differs.length ?? 0) > 0 || isSameStanding(run, snapshot)
}
