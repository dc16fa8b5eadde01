import { err, type ObservedResult, ok, type Result, readResult } from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import { problem, type RuntimeProblem, refusalProblem } from '../base/problem.ts'
import { dispatchCall } from '../runtime/dispatch.ts'
import { evidenceDigests } from '../runtime/evidence-facts.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { ChangeResult } from '../runtime/runs/change-run.ts'
import { findRun, type RunRef } from '../runtime/runs/find-run.ts'
import { boundedCost } from '../runtime/runs/report-cost.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { capturedOutput } from './captured-output.ts'
import { endedRun } from './which-run.ts'

/** What came of a call, as its run counts it. */
export interface CallOutcome {
  readonly bytes: number
  /** Null where nobody says: such a result proves nothing (WF-31). */
  readonly exit: 'success' | 'failure' | null
  readonly costMicros?: number
  readonly durationMs?: number
  /** What the agent reads of it, for a workflow that keeps it. */
  readonly output?: string
  /** The result itself, for facts; its text where only that is known. */
  readonly result?: ObservedResult
}

export interface CallResult extends RunRef, CallOutcome {
  readonly callId: string
  readonly branch?: string
  readonly source: 'observed' | 'reported'
  /** An earlier result of the same call was told by somebody else. */
  readonly voids?: true
}

/** A call has ended; the same way as every change, since results move counters and interrupts. */
export async function finishCall(
  runtime: Runtime,
  caller: Caller,
  result: CallResult,
): Promise<Result<ChangeResult, RuntimeProblem>> {
  const found = await runOf(runtime, caller, result)
  if (!found.ok) return found
  if (isOnlyClaimed(caller, result, found.value)) return err(notYours)
  const sealing = await runtime.sealings.sealing()
  const done = await dispatchCall(runtime, found.value.row.runId, (live) => {
    const digests = evidenceDigests(live, actorOf(caller), result.branch)
    const kept = capturedOutput(live, result.callId, result.output)
    const changed = runtime.changes.end(live, result.callId)
    const { callId, bytes, exit, costMicros, durationMs, voids } = result
    const source = sourceOf(result, live)
    const at = runtime.clock.now()
    const by = actorOf(caller)
    const observed = source === 'observed' ? observedOf(result) : undefined
    return {
      event: {
        type: 'tool_finished',
        at,
        by,
        callId,
        bytes,
        exit,
        source,
        ...(costMicros === undefined
          ? {}
          : { costMicros: boundedCost(runtime.settings, costMicros) }),
        ...(durationMs === undefined ? {} : { durationMs }),
        ...(digests === undefined ? {} : { digests }),
        ...(changed === undefined ? {} : { changed }),
        ...(voids === undefined ? {} : { voids }),
        ...(kept === undefined ? {} : { outputHash: kept.hash }),
        ...(observed === undefined
          ? {}
          : readResult(live.program, live.snapshot, callId, {
              at,
              by,
              exit,
              result: observed,
              sealing,
            })),
      },
      extras: { role: caller.role, ...(kept === undefined ? {} : { blobs: [kept] }) },
    }
  })
  if (done === undefined) return err(problem('unknown_run', 'The run no longer exists.'))
  const { live, step } = done
  runtime.changes.forget(live, result.callId)
  if (step.refusal === undefined) return ok({ live, answer: step.answer })
  return err(refusalProblem(step.refusal))
}

/**
 * Whoever sees calls end also asked about them. Under the id of a call that a client runs, an agent
 * could ask about another one by itself: what came of the first proves nothing of the second.
 */
function sourceOf({ callId, source }: CallResult, { snapshot }: LiveRun): CallResult['source'] {
  const asked = snapshot.calls.find(({ id }) => id === callId)
  return asked !== undefined && asked.results !== 'observed' ? 'reported' : source
}

/** Only what somebody of ours saw teaches anything (FC-2). */
function observedOf({ result, output }: CallResult): ObservedResult {
  return result ?? (output === undefined ? { isCut: true } : { text: output })
}

/** After the end of a run its session has none that is active, and calls end all the same. */
async function runOf(
  runtime: Runtime,
  caller: Caller,
  result: CallResult,
): Promise<Result<LiveRun, RuntimeProblem>> {
  const found = await findRun(runtime, caller, result)
  if (found.ok || result.run !== undefined) return found
  const ended = await endedRun(runtime, caller, result)
  return ended === undefined ? found : ok(ended)
}

/**
 * An agent could say of a call under way that it failed or cost nothing: then its real end would
 * count no more, nor the bytes, the money and the interrupts that go with it.
 */
function isOnlyClaimed({ kind }: Caller, { callId, source }: CallResult, live: LiveRun): boolean {
  if (kind !== 'agent' || source === 'observed') return false
  return live.snapshot.calls.some((call) => call.id === callId && call.results === 'observed')
}

const notYours = problem(
  'not_permitted',
  'Only the program that runs this call may report how it ended, not the agent.',
)

/** What the agent must hear after a result, an interrupt above all. */
export function noticesOf({ answer }: ChangeResult): readonly string[] {
  return answer.type === 'recorded' ? answer.notices : []
}
