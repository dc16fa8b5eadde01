import { phrase } from '../base/text/phrase.ts'
import type { Forced, RunEvent } from '../run/events.ts'
import { isUnfinished, topFrame, withTop } from '../run/lanes.ts'
import { hasEnded, isPauseStrict, type Lane, type RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { withdrawApproval } from './close-approval.ts'
import { dataFault, mergeData } from './data.ts'
import { type Draft, finish, record, refuse, refuseLargeContext } from './draft.ts'
import { endRun } from './end-run.ts'
import { moved } from './moved.ts'
import { enter } from './settle.ts'

/** Pausing keeps everything: fork, children, interrupt and approval (WF-27). */
export function onPaused(draft: Draft): Step {
  const refused = lockedOrEnded(draft)
  if (refused !== null) return refused
  if (draft.run.status === 'paused')
    return refuse(draft, 'run_paused', phrase('run_paused_already'))
  const { by } = draft.event
  if (by.kind === 'agent' && draft.run.settings.strict) {
    return refuse(draft, 'locked', phrase('pause_by_person'))
  }
  draft.run = {
    ...draft.run,
    status: 'paused',
    ...(by.kind === 'agent' ? {} : { held: true as const }),
  }
  record(draft, { type: 'paused', by: draft.event.by.id })
  return finish(draft, { type: 'recorded', notices: [] })
}

/** Resuming starts the count of calls again; transition count and context go on. */
export function onResumed(draft: Draft): Step {
  const { run } = draft
  if (run.status !== 'paused') {
    return refuse(draft, 'run_not_paused', phrase('run_not_paused', { status: run.status }))
  }
  // What a person paused is taken up by a person only: else the pause would hold nothing.
  if (isPauseStrict(run) && draft.event.by.kind === 'agent') return refuseLocked(draft)
  draft.run = withoutIterations({ ...unheld(run), status: 'running' })
  record(draft, { type: 'resumed', by: draft.event.by.id })
  return finish(draft, { type: 'recorded', notices: [] })
}

export function onStopped(draft: Draft): Step {
  const refused = lockedOrEnded(draft)
  if (refused !== null) return refused
  endRun(draft, 'stopped')
  return finish(draft, { type: 'recorded', notices: [] })
}

/** Jumps to a state for development: guards, counters, fork, interrupt and approval are left. */
export function onForced(draft: Draft<Forced>): Step {
  const { event, program, run } = draft
  const refused = lockedOrEnded(draft)
  if (refused !== null) return refused
  if (program.root.meta.debug !== true) {
    return refuse(draft, 'not_debug', phrase('force_not_debug'))
  }
  if (run.settings.strict && event.by.kind === 'agent') {
    return refuse(draft, 'locked', phrase('force_by_person'))
  }
  if (!program.root.states.has(event.state)) {
    const known = [...program.root.states.keys()].slice(0, 20)
    const message = phrase('unknown_state', { state: event.state.slice(0, 100), known })
    return refuse(draft, 'unknown_state', message)
  }
  const fault = dataFault(event.context)
  if (fault !== null) return refuse(draft, fault.code, fault.message)
  const bottom = run.main.frames[0] ?? topFrame(run.main)
  const context = mergeData(bottom.context, event.context)
  if (context === null) return refuseLargeContext(draft, null)
  const from = topFrame(run.main).state
  record(draft, { type: 'forced', from, to: event.state, by: event.by.id })
  withdrawApproval(draft, null)
  for (const branch of run.fork?.branches ?? []) withdrawApproval(draft, branch.name)
  draft.run = {
    ...unheld(draft.run),
    status: 'running',
    fork: null,
    main: { frames: [{ ...bottom, interrupt: null }], approval: null },
  }
  enter(draft, null, event.state, context)
  return moved(draft, null, from, { event: 'force' })
}

/** Who may not touch a locked run, and runs that are over (quality: locked runs). */
function lockedOrEnded(draft: Draft): Step | null {
  const { run, event } = draft
  if (hasEnded(run.status)) {
    return refuse(draft, 'run_not_active', phrase('run_not_active', { status: run.status }))
  }
  if (event.by.kind !== 'agent') return null
  if (waitsAtCheckpoint(run)) {
    // A pause lifts the rules: an agent must not get around a person's decision that way (PR-4).
    return refuse(draft, 'run_waiting', phrase('checkpoint_waits'))
  }
  return run.settings.locked || run.held ? refuseLocked(draft) : null
}

function unheld({ held: _, ...run }: RunSnapshot): RunSnapshot {
  return run
}

function refuseLocked(draft: Draft): Step {
  if (draft.run.held) return refuse(draft, 'locked', phrase('held_by_person'))
  const what = verb(draft.event)
  return refuse(draft, 'locked', phrase('locked', { what }))
}

function waitsAtCheckpoint({ main, fork }: RunSnapshot): boolean {
  const lanes = [main, ...(fork?.branches ?? []).filter(isUnfinished).map(({ lane }) => lane)]
  return lanes.some((lane) => lane.approval?.kind === 'checkpoint')
}

function verb(event: RunEvent): string {
  const { type } = event
  return type === 'paused' || type === 'resumed' || type === 'stopped' ? type : 'forced'
}

function withoutIterations(run: RunSnapshot): RunSnapshot {
  const fork =
    run.fork === null
      ? null
      : {
          ...run.fork,
          branches: run.fork.branches.map((branch) =>
            isUnfinished(branch) ? { ...branch, lane: restarted(branch.lane) } : branch,
          ),
        }
  return { ...run, main: restarted(run.main), fork }
}

function restarted(lane: Lane): Lane {
  const frame = topFrame(lane)
  return withTop(lane, { ...frame, counters: { ...frame.counters, iterations: 0 } })
}
