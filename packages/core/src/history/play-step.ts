import { jsonEqual } from '../base/json.ts'
import type { Program } from '../machine/machine.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import { takeAsAllowed } from '../reduce/tool-requested.ts'
import { engine, engineOf } from '../run/engine.ts'
import type { Entry } from '../run/entries.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import type { RecordedStep } from './steps.ts'

export interface PlayedStep {
  readonly run: RunSnapshot
  /** This engine would have answered otherwise than the one that wrote the step. */
  readonly differs: boolean
}

/**
 * Where a run stood after a step, whichever engine wrote it; null when the event cannot be read.
 * What was decided stands: a call that was let through was made, and a denied one was not (WF-36).
 */
export function playStep(
  program: Program,
  before: RunSnapshot | null,
  recorded: RecordedStep,
): PlayedStep | null {
  const [first] = recorded
  const { cause } = first
  if (cause === undefined) return null
  if (before === null && cause.type === 'started') {
    const step = again(() => startRun(program, cause))
    if (step === null) return null
    const made = first.type === 'run_started' ? first.engine : engine
    return { run: onEngine(step.run, made), differs: !isSameOutcome(step.entries, recorded) }
  }
  if (first.type === 'engine_changed' && cause.type === 'engine_changed') {
    return { run: { ...cause.run, engine: first.to }, differs: false }
  }
  if (before === null) return null
  const step = again(() => reduceRun(program, before, cause))
  if (step === null) return null
  if (engineOf(before) === engine) return { run: step.run, differs: false }
  if (isSameOutcome(step.entries, recorded)) return { run: step.run, differs: false }
  if (cause.type !== 'tool_requested') return { run: step.run, differs: true }
  const decided = recorded.find((entry) => entry.type === 'call_decided')
  if (decided === undefined) return { run: step.run, differs: true }
  const run =
    decided.decision === 'allow' ? again(() => takeAsAllowed(program, before, cause)) : before
  return run === null ? null : { run, differs: true }
}

function onEngine(run: RunSnapshot, made: number | undefined): RunSnapshot {
  const { engine: _, ...rest } = run
  return made === undefined ? rest : { ...rest, engine: made }
}

/** A stored history comes from outside: one that was forged may hold anything at all. */
export function again<Made extends Step | RunSnapshot>(make: () => Made): Made | null {
  try {
    return make()
  } catch {
    return null
  }
}

function isSameOutcome(made: readonly Entry[], recorded: readonly Entry[]): boolean {
  return (
    made.length === recorded.length &&
    made.every((entry, index) => jsonEqual(outcomeOf(entry), outcomeOf(recorded[index])))
  )
}

/** An entry without its words and its engine: those are what engines may write differently. */
function outcomeOf(entry: Entry | undefined): object {
  if (entry === undefined) return {}
  const { cause: _, ...facts } = entry
  const outcome: Record<string, unknown> = { ...facts }
  for (const words of ['message', 'text', 'note', 'advice', 'engine']) delete outcome[words]
  if ('reasons' in entry) outcome.reasons = entry.reasons.map(({ code, path }) => ({ code, path }))
  if ('guards' in entry) {
    outcome.guards = entry.guards?.map(({ guard, passed, saw }) => ({ guard, passed, saw }))
  }
  return outcome
}
