import { invariant } from '../base/invariant.ts'
import type { Machine, MachineState, Program } from '../machine/machine.ts'
import type { BranchSnapshot, ForkSnapshot, Frame, Lane, RunSnapshot } from './snapshot.ts'

/** Name of a branch, or null for the run itself. */
export type LaneName = string | null

export function branchOf(fork: ForkSnapshot | null, name: string): BranchSnapshot | undefined {
  return fork?.branches.find((branch) => branch.name === name)
}

export function laneOf(run: RunSnapshot, name: LaneName): Lane {
  if (name === null) return run.main
  const branch = branchOf(run.fork, name)
  invariant(branch !== undefined, `branch ${name} exists`)
  return branch.lane
}

/** The run itself and every branch of its fork. */
export function lanesOf({ main, fork }: Pick<RunSnapshot, 'main' | 'fork'>): readonly Lane[] {
  return [main, ...(fork?.branches ?? []).map(({ lane }) => lane)]
}

export function topFrame(lane: Lane): Frame {
  const frame = lane.frames[lane.frames.length - 1]
  invariant(frame !== undefined, 'a lane has a frame')
  return frame
}

export function machineOf(program: Program, frame: Frame): Machine {
  if (frame.machine === program.root.id) return program.root
  const machine = program.machines.get(frame.machine)
  invariant(machine !== undefined, `machine ${frame.machine} is in the program`)
  return machine
}

export function stateOf(program: Program, frame: Frame): MachineState {
  const state = machineOf(program, frame).states.get(frame.state)
  invariant(state !== undefined, `state ${frame.state} is in the machine`)
  return state
}

export function withLane(run: RunSnapshot, name: LaneName, lane: Lane): RunSnapshot {
  if (name === null) return { ...run, main: lane }
  const fork = run.fork
  invariant(fork !== null, 'a branch belongs to a fork')
  const branches = fork.branches.map((branch) =>
    branch.name === name ? { ...branch, lane } : branch,
  )
  return { ...run, fork: { ...fork, branches } }
}

export function withTop(lane: Lane, frame: Frame): Lane {
  if (lane.frames.length === 1) return { frames: [frame], approval: lane.approval }
  return { frames: [...lane.frames.slice(0, -1), frame], approval: lane.approval }
}

export function isUnfinished(branch: BranchSnapshot): boolean {
  return branch.status === 'pending' || branch.status === 'running'
}

/** In sequential work: the first unfinished branch in the order written (WF-25). */
export function currentBranch(fork: ForkSnapshot): BranchSnapshot | undefined {
  return fork.branches.find(isUnfinished)
}
