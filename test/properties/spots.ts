import type { Actor, Lane, RunSnapshot } from '@statewright/core/internal'
import type { Frame } from '../../packages/core/src/run/snapshot.ts'

/** Where a caller stands, found out anew from the rules and not by the code under test. */
export interface Spot {
  readonly lane: Lane
  readonly frame: Frame
  /** Machines whose policies hold here. */
  readonly machines: readonly string[]
  readonly isBound: boolean
}

/** WF-25: the bound branch; else, while nobody is bound, the first one that is unfinished. */
export function spotOf(run: RunSnapshot, by: Actor, branch?: string): Spot | null {
  const { fork } = run
  if (fork === null) return branch === undefined ? spotIn(run, run.main, false) : null
  const unfinished = fork.branches.filter((one) => isUnfinished(one.status))
  const own = fork.branches.find((one) => one.boundTo === by.id)
  if (own !== undefined && (branch === undefined || branch === own.name)) {
    return isUnfinished(own.status) ? spotIn(run, own.lane, true) : null
  }
  const someBound = fork.branches.some((one) => one.boundTo !== null)
  if (someBound && (by.kind === 'agent' || branch === undefined)) return null
  const chosen = unfinished.find((one) => branch === undefined || branch === one.name)
  return chosen === undefined ? null : spotIn(run, chosen.lane, false)
}

function spotIn(run: RunSnapshot, lane: Lane, isBound: boolean): Spot | null {
  const frame = lane.frames.at(-1)
  if (frame === undefined) return null
  const frames = lane === run.main ? lane.frames : [...run.main.frames, ...lane.frames]
  return { lane, frame, isBound, machines: frames.map(({ machine }) => machine) }
}

function isUnfinished(status: string): boolean {
  return status === 'running' || status === 'pending'
}
