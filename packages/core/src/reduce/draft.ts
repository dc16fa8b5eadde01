import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import type { Code } from '../base/problem.ts'
import { bounded } from '../base/text/bounded.ts'
import { type Phrase, phrase, textOf } from '../base/text/phrase.ts'
import type { Program } from '../machine/machine.ts'
import { waysOn } from '../machine/way.ts'
import { type Entry, type EntryBody, type GuardReading, shownReading } from '../run/entries.ts'
import type { RunEvent } from '../run/events.ts'
import {
  currentBranch,
  isUnfinished,
  type LaneName,
  laneOf,
  stateOf,
  topFrame,
} from '../run/lanes.ts'
import { hasEnded, type RunSnapshot, type RunStatus } from '../run/snapshot.ts'
import type { Answer, Refusal, RunAction, Step } from '../run/step.ts'

/**
 * One step in the making. It lives for one event only; snapshots inside it are never changed in
 * place, so that dropping a draft is all a refusal has to do.
 */
export interface Draft<Event extends RunEvent = RunEvent> {
  readonly program: Program
  readonly event: Event
  readonly before: RunSnapshot
  run: RunSnapshot
  readonly entries: Entry[]
  readonly actions: RunAction[]
}

export function startDraft<Event extends RunEvent>(
  program: Program,
  run: RunSnapshot,
  event: Event,
): Draft<Event> {
  return { program, event, before: run, run, entries: [], actions: [] }
}

/**
 * Adds a line to the history; the first one carries the event that caused the step. The body is
 * taken over as it is, so that it must be a fresh object: copying it would double the cost of the
 * commonest step.
 */
export function record(draft: Draft, body: EntryBody, lane: LaneName = null): void {
  const { event, entries } = draft
  const entry = body as Writable<Entry> // complete with the next line
  entry.at = event.at
  if (lane !== null) entry.branch = lane
  if (entries.length === 0) entry.cause = event
  entries.push(entry)
}

/** For an object that is still being put together. */
export type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

export function finish(draft: Draft, answer: Answer): Step {
  return {
    run: withStatus(draft.run),
    entries: draft.entries,
    actions: draft.actions,
    answer,
  }
}

/** Ends the step with no: the snapshot is the very one that came in. */
export function refuse(
  draft: Draft,
  code: Code,
  why: Phrase,
  more: {
    lane?: LaneName
    event?: string
    guards?: readonly GuardReading[]
    approvalId?: string
    /** For its sender alone: what the history keeps does not depend on it. */
    hint?: Phrase
  } = {},
): Step {
  const { lane = null, event, guards, approvalId, hint } = more
  const fresh = startDraft(draft.program, draft.before, draft.event)
  record(
    fresh,
    {
      type: 'refused',
      what: draft.event.type,
      code,
      message: bounded(why),
      ...(event === undefined ? {} : { event }),
      ...(guards === undefined ? {} : { guards }),
    },
    lane,
  )
  const refusal: Refusal = {
    code,
    message: cut(reportedWith(why, hint), limits.messageLength),
    events: eventsAt(draft.program, draft.before, lane),
    ...(guards === undefined ? {} : { guards: guards.map(shownReading) }),
    ...(approvalId === undefined ? {} : { approvalId }),
  }
  return {
    run: draft.before,
    entries: fresh.entries,
    actions: [],
    answer: { type: 'recorded', notices: [] },
    refusal,
  }
}

/** An agent may not fill the store through the context, one event at a time. */
export function refuseLargeContext(draft: Draft, lane: LaneName): Step {
  const why = phrase('context_too_large', { bytes: limits.contextBytes })
  return refuse(draft, 'context_too_large', why, { lane })
}

function reportedWith(why: Phrase, hint: Phrase | undefined): string {
  return hint === undefined ? textOf(why) : `${textOf(why)} ${textOf(hint)}`
}

function eventsAt(program: Program, run: RunSnapshot, lane: LaneName): Refusal['events'] {
  if (hasEnded(run.status)) return []
  // In a fork the events of the state that forked lead nowhere.
  if (lane === null && run.fork !== null) {
    const open = run.fork.branches.filter(isUnfinished)
    return open.map(({ name, terminal }) => ({ event: `BRANCH_DONE:${name}`, target: terminal }))
  }
  const frame = topFrame(laneOf(run, lane))
  return waysOn(stateOf(program, frame), frame.interrupt?.returnTo ?? null)
}

function withStatus(run: RunSnapshot): RunSnapshot {
  const status = statusOf(run)
  return status === run.status ? run : { ...run, status }
}

function statusOf(run: RunSnapshot): RunStatus {
  if (run.status !== 'running' && run.status !== 'waiting') return run.status
  if (run.main.approval !== null) return 'waiting'
  if (run.fork === null) return 'running'
  // One branch that waits does not hold the others up (WF-22).
  const current = currentBranch(run.fork)
  const isHeld =
    current !== undefined &&
    run.fork.branches.every(
      ({ status, lane }) =>
        (status !== 'pending' && status !== 'running') || lane.approval !== null,
    )
  return isHeld ? 'waiting' : 'running'
}
