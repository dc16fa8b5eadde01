import { jsonEqual } from '../base/json.ts'
import type { Program } from '../machine/machine.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import { engine } from '../run/engine.ts'
import type { Entry } from '../run/entries.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { again } from './play-step.ts'
import { isSameStanding } from './same-standing.ts'
import { takeUp } from './take-up.ts'

/** The part of a history that an older engine wrote. */
export interface OlderPart {
  readonly engine: number
  /** Its entries: the first so many. */
  readonly entries: number
  /** Numbers of entries whose event this engine would answer otherwise. */
  readonly differs: readonly number[]
}

export type Replayed =
  | {
      readonly ok: true
      readonly run: RunSnapshot
      /** Set when not everything could be replayed exactly. */
      readonly older: OlderPart | null
    }
  | { readonly ok: false; readonly index: number; readonly problem: string }

/**
 * Runs a history through the reducer again. What this engine wrote must come out entry by entry: a
 * history that was edited so that only the end fits is found all the same (invariant 3). What an
 * older engine wrote is played by its recorded answers, and only its chain proves it (WF-36).
 */
export function replay(program: Program, entries: readonly Entry[]): Replayed {
  const [first] = entries
  if (first?.cause?.type !== 'started') {
    return broken(0, 'the history does not begin with a start')
  }
  if (first.cause.hash !== program.hash) {
    return broken(0, 'the history belongs to another definition')
  }
  const change = entries.findLastIndex((entry) => entry.type === 'engine_changed')
  const last = lastEngine(entries, change)
  if (last > engine) {
    return broken(Math.max(change, 0), `it was written by a newer engine (${last})`)
  }
  if (last < engine) return playOlder(program, entries, last)
  if (change < 0) return replayOwn(program, entries, 0)
  const older = playOlder(program, entries.slice(0, change), fromEngine(entries[change]))
  if (!older.ok) return older
  const took = entries[change]?.cause
  if (took?.type !== 'engine_changed') return broken(change, 'no event caused the entry')
  if (older.older?.differs.length === 0 && !isSameStanding(older.run, took.run)) {
    return broken(
      change,
      'the state that the newer engine took over is not what the history produces',
    )
  }
  const own = replayOwn(program, entries, change)
  return own.ok ? { ...own, older: older.older } : own
}

function broken(index: number, problem: string): Replayed {
  return { ok: false, index, problem }
}

function lastEngine(entries: readonly Entry[], change: number): number {
  const entry = entries[Math.max(change, 0)]
  if (entry?.type === 'engine_changed') return entry.to
  return (entry?.type === 'run_started' ? entry.engine : engine) ?? 1
}

function fromEngine(entry: Entry | undefined): number {
  return entry?.type === 'engine_changed' ? entry.from : engine
}

function playOlder(program: Program, entries: readonly Entry[], made: number): Replayed {
  const played = takeUp(program, null, entries)
  if (played === null) return broken(0, 'an event cannot be read')
  const { run, differs } = played
  const seqs = differs.map((index) => index + 1)
  return { ok: true, run, older: { engine: made, entries: entries.length, differs: seqs } }
}

/** From a start or a change of engine on, exactly. */
function replayOwn(program: Program, entries: readonly Entry[], from: number): Replayed {
  let index = from
  const first = entries[from]?.cause
  let step =
    first?.type === 'started'
      ? again(() => startRun(program, first))
      : first?.type === 'engine_changed'
        ? again(() => reduceRun(program, first.run, first))
        : null
  for (;;) {
    if (step === null) return broken(index, 'the event cannot be read')
    for (const entry of step.entries) {
      if (!jsonEqual(entry, entries[index])) {
        return broken(index, 'the entry differs from what its event produces')
      }
      index++
    }
    if (index >= entries.length) return { ok: true, run: step.run, older: null }
    const cause = entries[index]?.cause
    if (cause === undefined) return broken(index, 'no event caused the entry')
    const { run } = step
    step = again(() => reduceRun(program, run, cause))
    if (step?.entries.length === 0) return broken(index, 'the event produces no entry')
  }
}
