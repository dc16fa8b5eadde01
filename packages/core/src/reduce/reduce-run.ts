import { unreachable } from '../base/invariant.ts'
import { phrase } from '../base/text/phrase.ts'
import { budgetsOfRun } from '../decide/session-budget.ts'
import type { Program } from '../machine/machine.ts'
import type { CostReported, RunEvent } from '../run/events.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { onAnswerGiven } from './answer.ts'
import { onApprovalResolved } from './approval.ts'
import { onBranchBound } from './bind-branch.ts'
import { type Draft, finish, record, refuse, startDraft } from './draft.ts'
import { onEngineChanged } from './engine-changed.ts'
import { onForced, onPaused, onResumed, onStopped } from './lifecycle.ts'
import { onTaskGiven } from './task.ts'
import { onToolFinished } from './tool-finished.ts'
import { onToolRequested } from './tool-requested.ts'
import { onTransitionRequested } from './transition.ts'

/**
 * The run's machine: a program, a snapshot and an event in; the next snapshot, the entries for the
 * history, work to be done outside and an answer out. It reads no clock and makes no ids.
 */
export function reduceRun(program: Program, run: RunSnapshot, event: RunEvent): Step {
  switch (event.type) {
    case 'tool_requested':
      return onToolRequested(startDraft(program, run, event))
    case 'tool_finished':
      return onToolFinished(startDraft(program, run, event))
    case 'transition_requested':
      return onTransitionRequested(startDraft(program, run, event))
    case 'answer_given':
      return onAnswerGiven(startDraft(program, run, event))
    case 'approval_resolved':
      return onApprovalResolved(startDraft(program, run, event))
    case 'branch_bound':
      return onBranchBound(startDraft(program, run, event))
    case 'paused':
      return onPaused(startDraft(program, run, event))
    case 'resumed':
      return onResumed(startDraft(program, run, event))
    case 'stopped':
      return onStopped(startDraft(program, run, event))
    case 'forced':
      return onForced(startDraft(program, run, event))
    case 'cost_reported':
      return onCostReported(startDraft(program, run, event))
    case 'task_given':
      return onTaskGiven(startDraft(program, run, event))
    case 'noted': {
      const draft = startDraft(program, run, event)
      const { entry, text, code, source } = event
      record(draft, {
        type: entry,
        text,
        ...(code === undefined ? {} : { code }),
        ...(source === undefined ? {} : { source }),
      })
      return finish(draft, { type: 'recorded', notices: [] })
    }
    case 'engine_changed':
      return onEngineChanged(startDraft(program, run, event))
    case 'started': {
      const message = phrase('run_started_already')
      return refuse(startDraft(program, run, event), 'run_not_active', message)
    }
    default:
      return unreachable(event)
  }
}

/** A cost that belongs to no call: it counts for the run and for its session (PR-9). */
function onCostReported(draft: Draft<CostReported>): Step {
  const { program, run } = draft
  const costMicros = Math.max(0, draft.event.costMicros)
  draft.run = { ...run, costMicros: run.costMicros + costMicros }
  record(draft, { type: 'cost_reported', cost_micros: draft.event.costMicros })
  const takes = budgetsOfRun(program, run)
  if (takes.length > 0 && costMicros > 0) {
    draft.actions.push({ type: 'charge_counters', takes, costMicros })
  }
  return finish(draft, { type: 'recorded', notices: [] })
}
