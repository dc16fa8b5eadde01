import type { Entry, RunSnapshot } from '@statewright/core/internal'
import type { RunGraph } from './run-graph.ts'
import { type RunWalk, walkOf } from './run-walk.ts'

/** What a run has to say about the picture of its machine. */
export interface RunMarks extends RunWalk {
  /** Where it stands: the state, with the branch that stands there. */
  readonly current: ReadonlyMap<string, readonly string[]>
  /** The interrupted state and its handler, while one is active. */
  readonly detour: { readonly from: string; readonly to: string } | null
  /** How many runs stand in each state, where the picture is of all of them. */
  readonly standing?: ReadonlyMap<string, number>
  /** What tried rules would change in each state, where some are tried. */
  readonly changes?: ReadonlyMap<string, StateChange>
}

/** Calls that would be stopped or asked about in a state, and those that would no more. */
export interface StateChange {
  readonly stricter: number
  readonly looser: number
}

/** The marks after some entries, for the machine that is shown. */
export function runMarks(
  machine: string,
  snapshot: RunSnapshot | undefined,
  entries: readonly Entry[],
  graph: RunGraph | null,
): RunMarks {
  const walk = walkOf(entries, graph?.edges.filter(({ kind }) => kind === 'fork') ?? [])
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
