import { unreachable } from '../base/invariant.ts'
import type { AnswerMove, Machine, MachineState, MachineTransition } from './machine.ts'
import { returnTarget } from './machine.ts'

export interface WayStep {
  readonly event: string
  readonly target: string
  /** What its guards still want, where they do not pass now. */
  readonly needs?: string
}

/** Where each event of a state leads, as far as the definition alone tells. */
export function waysOn(state: MachineState, returnTo: string | null): WayStep[] {
  const ways: WayStep[] = []
  for (const [event, transition] of state.transitions) {
    if (transition.kind === 'answer') ways.push({ event, target: answerTarget(transition) })
    else for (const target of targetsOf(transition, returnTo)) ways.push({ event, target })
  }
  return ways
}

/** An answer that ends the run is one like any other: leaving it out would steer the agent. */
function answerTarget({ next, action }: AnswerMove): string {
  if (action === 'block') return '(blocked)'
  return action === 'complete' || next === null ? '(completed)' : next
}

/** Every state that a transition may lead to. */
export function targetsOf(transition: MachineTransition, returnTo: string | null): string[] {
  switch (transition.kind) {
    case 'move': {
      const targets = new Set<string>()
      for (const candidate of transition.candidates) {
        if (candidate.target !== returnTarget) targets.add(candidate.target)
        else if (returnTo !== null) targets.add(returnTo)
      }
      return [...targets]
    }
    case 'invoke':
    case 'fork':
      return [transition.onComplete]
    case 'answer':
      return transition.next === null ? [] : [transition.next]
    default:
      return unreachable(transition)
  }
}

export interface WayOptions {
  /** Where the events of a state lead. */
  readonly from: (state: MachineState) => readonly WayStep[]
  readonly finals?: boolean
}

/**
 * The shortest legal path from a state to one that fits. Final states do not count: ending the run
 * is no way to get a tool.
 */
export function shortestWay(
  machine: Machine,
  from: string,
  fits: (state: MachineState) => boolean,
  options: WayOptions,
): WayStep[] | undefined {
  if (!isThere(machine, from, fits, options)) return undefined
  const cameBy = new Map<string, Came | null>([[from, null]])
  const queue = [from]
  for (let index = 0; index < queue.length; index++) {
    const name = queue[index] ?? from
    const state = machine.states.get(name)
    if (state === undefined) continue
    if (name !== from && counts(state, options) && fits(state)) return pathTo(name, cameBy)
    for (const step of options.from(state)) {
      if (cameBy.has(step.target)) continue
      cameBy.set(step.target, { previous: name, step })
      queue.push(step.target)
    }
  }
  return undefined
}

/** Asked first: reading the guards along every path costs far more than a look at the states. */
function isThere(
  machine: Machine,
  from: string,
  fits: (state: MachineState) => boolean,
  options: WayOptions,
): boolean {
  for (const state of machine.states.values())
    if (state.name !== from && counts(state, options) && fits(state)) return true
  return false
}

function counts(state: MachineState, options: WayOptions): boolean {
  return options.finals === true || !state.isFinal
}

interface Came {
  readonly previous: string
  readonly step: WayStep
}

function pathTo(name: string, cameBy: ReadonlyMap<string, Came | null>): WayStep[] {
  const steps: WayStep[] = []
  let at = name
  for (let came = cameBy.get(at); came; came = cameBy.get(at)) {
    steps.unshift(came.step)
    at = came.previous
  }
  return steps
}
