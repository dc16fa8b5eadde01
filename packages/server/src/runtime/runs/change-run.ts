import {
  type Actor,
  type Answer,
  err,
  type JsonObject,
  ok,
  type Phrase,
  type Result,
  type RunEvent,
  readsTask,
  unfinishedStatuses,
} from '@statewright/core/internal'
import { actorOf, type Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem, refusalProblem } from '../../base/problem.ts'
import { redactEvent } from '../../base/redact.ts'
import { dispatch, type OtherEvent } from '../dispatch.ts'
import { evidenceDigests } from '../evidence-facts.ts'
import type { LiveRun } from '../live-runs.ts'
import type { Runtime } from '../runtime.ts'
import { findRun, type RunRef } from './find-run.ts'

export interface ChangeResult {
  readonly live: LiveRun
  readonly answer: Answer
}

/** Sends an event to a run that the caller may see, and gives back what came of it. */
export async function changeRun(
  runtime: Runtime,
  caller: Caller,
  ref: RunRef,
  makeEvent: (live: LiveRun, facts: EventFacts) => OtherEvent,
): Promise<Result<ChangeResult, RuntimeProblem>> {
  const found = await findRun(runtime, caller, ref)
  if (!found.ok) return found
  if (caller.kind === 'hook') {
    return err(problem('locked', 'A hook token may only ask for decisions, not change runs.'))
  }
  let sent: OtherEvent | undefined
  const done = await dispatch(runtime, found.value.row.runId, (live) => {
    sent = redactEvent(makeEvent(live, { at: runtime.clock.now(), by: actorOf(caller) }))
    return { event: sent, extras: { role: caller.role, asker: caller } }
  })
  if (done === undefined) return err(problem('unknown_run', 'The run no longer exists.'))
  if (done.step.refusal !== undefined) {
    return err(refusalProblem(done.step.refusal, nameOf(sent)))
  }
  return ok({ live: done.live, answer: done.step.answer })
}

function nameOf(event: OtherEvent | undefined): string | undefined {
  return event?.type === 'transition_requested' ? event.event : undefined
}

export type EventFacts = Pick<RunEvent, 'at' | 'by'>

export interface TransitionRequest extends RunRef {
  readonly event: string
  readonly data?: JsonObject
  readonly branch?: string
}

export function transition(
  runtime: Runtime,
  caller: Caller,
  request: TransitionRequest,
): Promise<Result<ChangeResult, RuntimeProblem>> {
  return changeRun(runtime, caller, request, (live, facts) => {
    const digests = evidenceDigests(live, facts.by, request.branch)
    return {
      ...facts,
      type: 'transition_requested',
      event: request.event,
      approvalId: runtime.clock.newId('apr'),
      ...(request.data === undefined ? {} : { data: request.data }),
      ...(request.branch === undefined ? {} : { branch: request.branch }),
      ...(digests === undefined ? {} : { digests }),
    }
  })
}

export interface AnswerRequest extends RunRef {
  readonly answer: string
  readonly rationale?: string
}

export function answerQuestion(
  runtime: Runtime,
  caller: Caller,
  request: AnswerRequest,
): Promise<Result<ChangeResult, RuntimeProblem>> {
  return changeRun(runtime, caller, request, (_live, facts) => ({
    ...facts,
    type: 'answer_given',
    answer: request.answer,
    approvalId: runtime.clock.newId('apr'),
    ...(request.rationale === undefined ? {} : { rationale: request.rationale }),
  }))
}

/** What a move set off, each under its own name. */
export function effectsOf({ effects }: Extract<Answer, { type: 'moved' }>) {
  const reported: Partial<Record<(typeof effects)[number], true>> = {}
  for (const effect of effects) reported[effect] = true
  return reported
}

/** Whether the event itself was taken: a detour comes first and leaves it to be sent again. */
export function isEventTaken(answer: Answer): boolean {
  return answer.type === 'moved' && !answer.effects.includes('interrupted')
}

/**
 * Notes what a person asked for, where a condition reads it (FC-11). An agent's own word for it is
 * never taken: anyone who calls this has seen that it came from a person.
 */
export async function giveTask(
  runtime: Runtime,
  caller: Caller,
  live: LiveRun,
  text: string,
): Promise<void> {
  if (!readsTask(live.program)) return
  const { hide } = await runtime.sealings.sealing()
  const by: Actor = { kind: 'person', id: caller.name }
  await dispatch(runtime, live.row.runId, () => ({
    event: { type: 'task_given', at: runtime.clock.now(), by, text: hide(text, '') },
    extras: { role: caller.role },
  }))
}

/** Of more runs only the newest are told: a switch must not wait for thousands of commits. */
const maxRuns = 200

/** Writes what a person did to all runs into the history of those that are live. */
export async function noteInLiveRuns(
  runtime: Runtime,
  caller: Caller,
  text: Phrase,
  onFault: (runId: string, fault: unknown) => void,
): Promise<void> {
  const { runs } = await runtime.store.runs.list({ status: unfinishedStatuses, limit: maxRuns })
  for (const { runId } of runs) {
    try {
      await dispatch(runtime, runId, () => ({
        event: {
          type: 'noted',
          at: runtime.clock.now(),
          by: actorOf(caller),
          entry: 'notice',
          text,
        },
        extras: { role: caller.role },
      }))
    } catch (fault) {
      onFault(runId, fault)
    }
  }
}
