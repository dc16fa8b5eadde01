import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { Machine, MachineState, Program } from '../machine/machine.ts'
import type { Actor } from './events.ts'
import {
  branchOf,
  currentBranch,
  isUnfinished,
  type LaneName,
  laneOf,
  machineOf,
  stateOf,
  topFrame,
} from './lanes.ts'
import type { ForkSnapshot, Frame, RunSnapshot } from './snapshot.ts'

/** Which place of execution a caller speaks for (WF-25). */
export type LaneChoice =
  | { readonly kind: 'lane'; readonly name: LaneName }
  /** Its branch is over, or the fork is worked by others: only our own tools until the join. */
  | { readonly kind: 'outside'; readonly message: Phrase }
  | { readonly kind: 'unknown'; readonly message: Phrase }
  | { readonly kind: 'bound'; readonly message: Phrase }

export function chooseLane(run: RunSnapshot, by: Actor, branch: string | undefined): LaneChoice {
  const fork = run.fork
  if (fork === null) {
    if (branch === undefined) return mainLane
    return { kind: 'unknown', message: phrase('no_fork', { branch }) }
  }
  const bound = fork.branches.find((one) => one.boundTo !== null && one.boundTo === by.id)
  if (bound !== undefined && (branch === undefined || branch === bound.name)) {
    if (isUnfinished(bound)) return { kind: 'lane', name: bound.name }
    return { kind: 'outside', message: phrase('branch_work_over', { branch: bound.name }) }
  }
  return branch === undefined ? unboundLane(fork) : namedLane(fork, branch, by)
}

const mainLane: LaneChoice = { kind: 'lane', name: null }

function unboundLane(fork: ForkSnapshot): LaneChoice {
  if (hasBound(fork)) return waitForJoin(fork)
  const current = currentBranch(fork)
  if (current === undefined) return mainLane
  return { kind: 'lane', name: current.name }
}

function hasBound(fork: ForkSnapshot): boolean {
  return fork.branches.some((branch) => branch.boundTo !== null)
}

function waitForJoin(fork: ForkSnapshot): LaneChoice {
  const branches = fork.branches.filter(isUnfinished).map((branch) => branch.name)
  const message = phrase('fork_worked_by_others', { branches })
  return { kind: 'outside', message }
}

function namedLane(fork: ForkSnapshot, name: string, by: Actor): LaneChoice {
  const named = branchOf(fork, name)
  if (named === undefined) {
    return { kind: 'unknown', message: noSuchBranch(fork, name) }
  }
  if (named.boundTo !== null && named.boundTo !== by.id && by.kind === 'agent') {
    return { kind: 'bound', message: phrase('branch_bound', { branch: name }) }
  }
  if (by.kind === 'agent' && fork.branches.some((branch) => branch.boundTo === by.id)) {
    return { kind: 'bound', message: phrase('agent_bound_elsewhere', { branch: name }) }
  }
  if (!isUnfinished(named))
    return { kind: 'outside', message: phrase('branch_over', { branch: name }) }
  // Naming a free branch would be a way around the rule that unbound callers wait (WF-25).
  if (by.kind === 'agent' && named.boundTo !== by.id && hasBound(fork)) return waitForJoin(fork)
  return { kind: 'lane', name }
}

/** There is no such branch, and those that there are. */
export function noSuchBranch(fork: ForkSnapshot | null, name: string): Phrase {
  const branch = name.slice(0, 100)
  if (fork === null) return phrase('unknown_branch_no_fork', { branch })
  return phrase('unknown_branch', { branch, known: fork.branches.map((one) => one.name) })
}

/** The state that judges a caller now; null where only our own tools are open to it. */
export function stateOfCaller(
  program: Program,
  run: RunSnapshot,
  by: Actor,
  branch?: string,
): MachineState | null {
  const choice = chooseLane(run, by, branch)
  return choice.kind === 'lane' ? stateOf(program, topFrame(laneOf(run, choice.name))) : null
}

/** Whether a caller stands in one visit of a state. Tools work while a person is asked (WF-22). */
export function isInVisit(
  run: RunSnapshot,
  {
    by,
    branch,
    visit,
  }: { readonly by: Actor; readonly branch?: string | undefined; readonly visit: number },
): boolean {
  if (run.status !== 'running' && run.status !== 'waiting') return false
  const choice = chooseLane(run, by, branch)
  return choice.kind === 'lane' && topFrame(laneOf(run, choice.name)).counters.visit === visit
}

/** The definition that judges a caller now: its branch's or child's, else the run's own. */
export function machineOfCaller(
  program: Program,
  run: RunSnapshot,
  by: Actor,
  branch?: string,
): Machine {
  const choice = chooseLane(run, by, branch)
  return machineOf(program, topFrame(laneOf(run, choice.kind === 'lane' ? choice.name : null)))
}

/**
 * The definitions that a caller's calls are judged by, from the bottom up: a branch also stands on
 * the run's own. Where a fork is worked by others, those of the run itself hold (PO-1).
 */
export function machinesFor(
  program: Program,
  run: RunSnapshot,
  by: Actor,
  branch?: string,
): readonly Machine[] {
  // A definition that invokes itself speaks once: its rates must not count twice for one call.
  return [...new Set(framesFor(run, by, branch).map((frame) => machineOf(program, frame)))]
}

/** Where a caller stands in each of them; a branch stands where it is, not where it began. */
export function framesFor(run: RunSnapshot, by: Actor, branch?: string): readonly Frame[] {
  const choice = chooseLane(run, by, branch)
  const lane = choice.kind === 'lane' ? laneOf(run, choice.name) : run.main
  if (lane === run.main) return lane.frames
  const [root, ...children] = lane.frames
  const below = run.main.frames.slice(0, -1)
  return root === undefined ? run.main.frames : [...below, root, ...children]
}
