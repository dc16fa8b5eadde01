import { err, ok, type Result } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import type { RuntimeProblem } from '../base/problem.ts'
import type { Guard } from '../guard/guard.ts'
import { saveDefinition } from '../runtime/rules/definitions.ts'
import { startRun } from '../runtime/runs/start-run.ts'
import { embeddedRun } from '../sdk/embedded-run.ts'
import { playDemo } from './play.ts'
import { demoWorkflow } from './story.ts'

/** Slow enough to be followed in the dashboard. */
const usualPauseMs = 600

export interface DemoPace {
  readonly stop: AbortSignal
  readonly pauseMs?: number
}

/**
 * Starts the demo on a server and plays it on beside everything else, until it waits for a person.
 * Nothing is touched but the run itself: the scripted agent only pretends to do what it may.
 */
export async function startDemo(
  guard: Guard,
  person: Caller,
  pace: DemoPace,
): Promise<Result<{ readonly runId: string; readonly played: Promise<void> }, RuntimeProblem>> {
  const runtime = guard.runtime
  const saved = await saveDefinition(runtime, person, demoWorkflow, {})
  if (!saved.ok) return saved
  // Both own the run: the person who pressed the button, and the agent that is played.
  const owner = { ...person, tokenId: `demo-${person.tokenId}` }
  const agent: Caller = { ...owner, kind: 'agent', role: 'demo', name: 'the demo agent' }
  const started = await startRun(runtime, owner, { workflow: demoWorkflow.id })
  if (!started.ok) return err(started.error)
  const { runId } = started.value.live.row
  return ok({ runId, played: play(guard, agent, runId, pace) })
}

async function play(
  guard: Guard,
  agent: Caller,
  runId: string,
  { stop, pauseMs = usualPauseMs }: DemoPace,
): Promise<void> {
  for await (const line of playDemo(embeddedRun(guard, agent, runId))) {
    if (stop.aborted || line.kind === 'waits') return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
