import {
  durationText,
  type ProofMove,
  playMove,
  type Simulated,
  simulatedOutcome,
} from '@statewright/core/internal'
import { stringify } from 'yaml'
import { summaryOf } from './run-summary.ts'

/** Something that was tried in a simulated run. */
export type Attempt = Exclude<ProofMove, { kind: 'pause' | 'resume' }>

/** A search neither pauses a run nor lets it go on. */
export function isTried(move: ProofMove): move is Attempt {
  return move.kind !== 'pause' && move.kind !== 'resume'
}

export type TriedCall = Omit<Extract<Attempt, { kind: 'call' }>, 'kind'>

/** A run in the making with all that led to it. */
export interface Simulation {
  readonly start: Simulated
  readonly steps: readonly { readonly tried: Attempt; readonly play: Simulated }[]
}

export function begin(start: Simulated): Simulation {
  return { start, steps: [] }
}

export function now({ start, steps }: Simulation): Simulated {
  return steps.at(-1)?.play ?? start
}

/** The run just before its last step. */
export function before({ start, steps }: Simulation): Simulated {
  return steps.at(-2)?.play ?? start
}

export function attempt(simulation: Simulation, tried: Attempt, at: number): Simulation {
  const play = playMove(now(simulation), tried, at)
  return { ...simulation, steps: [...simulation.steps, { tried, play }] }
}

/** Whether something of the definitions reads what calls answer with. */
export function readsResults({ program }: Simulated): boolean {
  return [...program.machines.values()].some(
    ({ facts, interrupts }) => facts.length > 0 || interrupts.some(({ when }) => when !== null),
  )
}

/** The same steps on another definition, such as the one that was just changed. */
export function playAgain(steps: readonly Attempt[], start: Simulated, at: number): Simulation {
  return steps.reduce((done, tried) => attempt(done, tried, at), begin(start))
}

/** The story as a scenario file, which `statewright workflow test` holds the workflow to. */
export function scenarioText(simulation: Simulation, name: string, file: string): string {
  const steps = simulation.steps.map(({ tried, play }) => scenarioStep(tried, play))
  const { task } = simulation.start.run
  const scenario = { name, ...(task === undefined ? {} : { task }), steps }
  const text = { definition: file, scenarios: [scenario] }
  return stringify(text, { lineWidth: 0, aliasDuplicateObjects: false })
}

function scenarioStep(tried: Attempt, play: Simulated): Record<string, unknown> {
  if (tried.kind === 'change' || tried.kind === 'wait') return deed(tried)
  return { ...deed(tried), ...expected(play), ...standing(play) }
}

function deed(tried: Attempt): Record<string, unknown> {
  switch (tried.kind) {
    case 'send':
      return Object.keys(tried.data ?? {}).length === 0
        ? { send: tried.event }
        : { send: tried.event, data: tried.data }
    case 'answer':
      return { answer: tried.answer }
    case 'call':
      return {
        tool: tried.tool,
        input: tried.input,
        ...result(tried),
      }
    case 'verdict':
      return tried.verdict === 'approve' ? { approve: 'approved' } : { reject: 'rejected' }
    case 'change':
      return { changes: tried.files }
    case 'wait':
      return { after: durationText(tried.ms) }
  }
}

function result({ exit, result: observed }: TriedCall): Record<string, unknown> {
  if (exit === 'failure') return { result: 'failure' }
  return {
    ...(observed?.structured === undefined ? {} : { result: observed.structured }),
    ...(observed?.text === undefined ? {} : { output: observed.text }),
  }
}

function expected(play: Simulated): Record<string, unknown> {
  const { word, code } = simulatedOutcome(play)
  if (word === 'allow' || word === 'moved') return {}
  return code !== undefined && word !== 'ask' ? { expect: word, code } : { expect: word }
}

/** A fork stands in several states, which a scenario does not name. */
function standing(play: Simulated): Record<string, unknown> {
  const { states, status } = summaryOf(play)
  const state = states.length === 1 ? { state: states[0] } : {}
  return status === 'running' || status === 'waiting' ? state : { ...state, status }
}
