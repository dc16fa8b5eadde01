import type { Entry, RunSnapshot } from '@statewright/core/internal'
import { anywhere } from './run-graph.ts'

/** What a run has to say about the picture of its machine. */
export interface RunMarks {
  /** Where it stands: the state, with the branch that stands there. */
  readonly current: ReadonlyMap<string, readonly string[]>
  /** How often each state was entered. */
  readonly visits: ReadonlyMap<string, number>
  /** Arrows that were walked, as `pairKey` names them. */
  readonly walked: ReadonlySet<string>
  /** The interrupted state and its handler, while one is active. */
  readonly detour: { readonly from: string; readonly to: string } | null
}

export function pairKey(from: string, to: string): string {
  return JSON.stringify([from, to])
}

/** The marks after some entries, for the machine that is shown. */
export function runMarks(
  machine: string,
  snapshot: RunSnapshot | undefined,
  entries: readonly Entry[],
): RunMarks {
  const walk = walkOf(entries)
  const lanes = snapshot === undefined ? [] : lanesOf(snapshot)
  const current = new Map<string, string[]>()
  let detour: RunMarks['detour'] = null
  for (const { name, frames } of lanes) {
    for (const frame of frames) {
      if (frame.machine !== machine) continue
      current.set(frame.state, [...(current.get(frame.state) ?? []), name])
      if (frame.interrupt !== null) detour = { from: frame.interrupt.returnTo, to: frame.state }
    }
  }
  return { current, ...walk, detour }
}

function lanesOf({ main, fork }: RunSnapshot) {
  if (fork === null) return [{ name: '', frames: main.frames }]
  return fork.branches.map(({ name, lane }) => ({ name, frames: lane.frames }))
}

function walkOf(entries: readonly Entry[]): Pick<RunMarks, 'visits' | 'walked'> {
  const visits = new Map<string, number>()
  const walked = new Set<string>()
  const enter = (state: string) => visits.set(state, (visits.get(state) ?? 0) + 1)
  for (const entry of entries) {
    switch (entry.type) {
      case 'run_started':
      case 'invoked':
        enter(entry.state)
        break
      case 'transitioned':
      case 'forced':
        enter(entry.to)
        walked.add(pairKey(entry.from, entry.to))
        break
      case 'answered':
        if (entry.to !== null) enter(entry.to)
        walked.add(pairKey(entry.from, entry.to ?? 'end'))
        break
      case 'interrupted':
        enter(entry.to)
        walked.add(pairKey(anywhere, entry.to))
        break
      case 'returned':
        enter(entry.to)
        walked.add(pairKey(entry.from, anywhere))
        break
      default:
        break
    }
  }
  return { visits, walked }
}
