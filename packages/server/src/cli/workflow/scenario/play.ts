import { isDeepStrictEqual } from 'node:util'
import {
  defined,
  describeFor,
  durationMs,
  filesChanged,
  type Json,
  type Program,
  type ProgramTable,
  runView,
  type Simulated,
  type SimulatedMove,
  simulatedAgent,
  simulatedOutcome,
  simulateMove,
  simulateStart,
} from '@statewright/core/internal'
import { actions, type Scenario, type ScenarioStep } from './schema.ts'
import { type Fault, seenFault } from './seen.ts'

export interface Played {
  readonly name: string
  readonly ok: boolean
  readonly steps: number
  /** Of the first step that went another way. */
  readonly failed?: { readonly step: number; readonly key: string; readonly message: string }
}

const tick = 1000

/** Plays a scenario against the pure reducer: no server, no clock, the same answer every time. */
export function playScenario(
  program: Program,
  scenario: Scenario,
  options: {
    readonly strict: boolean
    readonly root: string
    readonly programs: ProgramTable
  },
): Played {
  const { name, context, task, steps } = scenario
  const { strict, root, programs } = options
  const describe = (call: Parameters<Simulated['describe']>[0]) =>
    describeFor(program, call, { root, shell: { programs } })
  let at = tick
  let play = simulateStart(program, { at, strict, describe, context, task })
  for (const [index, step] of steps.entries()) {
    at += tick + (step.after === undefined ? 0 : durationMs(step.after))
    const move = moveOf(step)
    if (move !== undefined) play = simulateMove(play, move, at)
    play = filesChanged(play, step.changes ?? [])
    const wrong =
      (move === undefined ? undefined : outcomeFault(step, play)) ?? viewFault(step, play, at)
    if (wrong !== undefined) {
      return { name, ok: false, steps: index + 1, failed: { step: index, ...wrong } }
    }
  }
  return { name, ok: true, steps: steps.length }
}

function moveOf(step: ScenarioStep): SimulatedMove | undefined {
  const { tool, input = {}, bytes, branch } = step
  if (tool !== undefined) return { kind: 'call', tool, input, bytes, branch, ...endOf(step) }
  if (step.send !== undefined) return { kind: 'send', event: step.send, data: step.data, branch }
  if (step.answer !== undefined) {
    return { kind: 'answer', answer: step.answer, rationale: step.rationale }
  }
  if (step.pause === true) return { kind: 'pause' }
  if (step.resume === true) return { kind: 'resume' }
  const note = step.approve ?? step.reject
  if (note === undefined) return undefined
  const verdict = step.approve === undefined ? 'reject' : 'approve'
  return { kind: 'verdict', verdict, note, branch, of: step.of }
}

/** A word says how the call ended; anything else is what it answered with. */
export function endOf({ result = 'success', output: text }: ScenarioStep) {
  const exit = typeof result === 'string' ? result : 'success'
  const structured: Json | undefined = typeof result === 'string' ? undefined : result
  const exitCode = exit === 'success' ? 0 : 1
  return { exit, result: { exitCode, ...defined({ structured, text }) } }
}

function outcomeFault(step: ScenarioStep, play: Simulated): Fault | undefined {
  const outcome = simulatedOutcome(play)
  const wanted = expectedWord(step)
  const key =
    step.expect === undefined
      ? (actions.find((name) => step[name] !== undefined) ?? 'expect')
      : 'expect'
  const why = outcome.code === undefined ? '' : ` (${outcome.code}: ${outcome.message ?? ''})`
  if (outcome.word !== wanted) {
    return { key, message: `expected ${wanted}, got ${outcome.word}${why}` }
  }
  if (step.code === undefined || step.code === outcome.code) return undefined
  return { key: 'code', message: `expected ${step.code}, got ${outcome.code ?? 'no code'}${why}` }
}

/** A step that says nothing of its outcome has to be let through; a code means a no. */
function expectedWord(step: ScenarioStep): NonNullable<ScenarioStep['expect']> {
  if (step.expect !== undefined) return step.expect
  const isNo = step.code !== undefined
  if (step.tool !== undefined) return isNo ? 'deny' : 'allow'
  return isNo ? 'refused' : 'moved'
}

function viewFault(step: ScenarioStep, play: Simulated, at: number): Fault | undefined {
  const { program, run } = play
  const view = runView(program, run, simulatedAgent, { at, ...defined({ branch: step.branch }) })
  for (const key of ['state', 'status'] as const) {
    if (step[key] === undefined || step[key] === view[key]) continue
    return { key, message: `expected ${key} ${step[key]}, got ${view[key]}` }
  }
  for (const [name, value] of Object.entries(step.context ?? {})) {
    const got = Object.hasOwn(view.context, name) ? view.context[name] : undefined
    if (isDeepStrictEqual(got, value)) continue
    const shown = got === undefined ? 'nothing' : JSON.stringify(got)
    return { key: 'context', message: `expected ${name} ${JSON.stringify(value)}, got ${shown}` }
  }
  return seenFault(step, view, program)
}
