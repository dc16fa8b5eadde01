import { defined } from '../base/defined.ts'
import { unreachable } from '../base/invariant.ts'
import { type Simulated, simulatedOutcome } from '../history/simulation.ts'
import { topFrame } from '../run/lanes.ts'
import type { Move } from './moves.ts'
import { actingLane } from './passage.ts'
import type { WayStep } from './search-terms.ts'
import { durationText } from './waiting.ts'

/** A step of a scenario, as `workflow test` plays it. */
export type CounterStep = Readonly<Record<string, unknown>>

export interface Counterexample {
  readonly moves: readonly Move[]
  readonly steps: readonly CounterStep[]
  /** Where the run stands after the last one. */
  readonly end: { readonly state: string; readonly status: string }
}

/** Writes down what came of each move of a way (PV-6). */
export function counterexample(start: Simulated, way: readonly WayStep[]): Counterexample {
  let play = start
  const steps: CounterStep[] = []
  for (const { move, after } of way) {
    const branch = branchOfMove(play, move)
    steps.push({ ...wordsOf(move), ...defined({ branch }), ...outcomeOf(move, after) })
    play = after
  }
  const { run } = play
  const end = { state: topFrame(run.main).state, status: run.status }
  const last = steps.pop()
  if (last !== undefined)
    steps.push(run.fork === null ? { ...last, ...stateOfEnd(last, end) } : last)
  return { moves: way.map(({ move }) => move), steps, end }
}

/** The branch that a verdict is for stands in the run, not in the move. */
function branchOfMove(play: Simulated, move: Move): string | undefined {
  if (move.kind === 'change' || move.kind === 'wait') return undefined
  if (move.kind !== 'verdict') return move.branch
  const lane = actingLane({ before: play, move })
  return play.run.fork?.branches.find((one) => one.lane === lane)?.name
}

function wordsOf(move: Move): CounterStep {
  switch (move.kind) {
    case 'call': {
      const { tool, input, exit, bytes, result: { structured, text: output } = {} } = move
      const result = exit === 'success' ? structured : exit
      return { tool, input, ...defined({ result, output, bytes: bytes === 0 ? undefined : bytes }) }
    }
    case 'send':
      return { send: move.event, ...defined({ data: move.data }) }
    case 'answer':
      return { answer: move.answer }
    case 'verdict':
      return {
        ...(move.verdict === 'approve' ? { approve: 'yes' } : { reject: 'no' }),
        ...defined({ of: move.of }),
      }
    case 'change':
      return { changes: move.files }
    case 'wait':
      return { after: durationText(move.ms) }
    case 'pause':
    case 'resume':
      return { [move.kind]: true }
    default:
      return unreachable(move)
  }
}

function outcomeOf(move: Move, after: Simulated): CounterStep {
  if (move.kind === 'change' || move.kind === 'wait') return {}
  const { word, code } = simulatedOutcome(after)
  if (move.kind === 'call') return word === 'allow' ? {} : { expect: word, ...defined({ code }) }
  return word === 'moved' ? {} : { expect: word, ...defined({ code }) }
}

function stateOfEnd(last: CounterStep, end: Counterexample['end']): CounterStep {
  // A step in which nobody acts says nothing of where the run stands.
  return 'changes' in last || 'after' in last ? {} : { state: end.state }
}
