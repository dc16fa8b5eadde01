import type { Reason } from '../base/problem.ts'
import type { Program } from '../machine/machine.ts'
import type { Lane, RunSnapshot } from '../run/snapshot.ts'

export interface Standing {
  /** Whether the state's own rules hold at all. */
  readonly enforced: boolean
  readonly reasons: readonly Reason[]
}

const enforced: Standing = { enforced: true, reasons: [] }
const over: Standing = { enforced: false, reasons: [] }

/** What the run as a whole says before its state is asked (WF-15, WF-27, PR-4). */
export function judgeStanding(run: RunSnapshot, program: Program): Standing {
  switch (run.status) {
    case 'blocked':
      return denied(
        'run_blocked',
        `The process ${program.root.id} ended blocked. A person must start another run.`,
      )
    case 'paused':
      if (!run.settings.locked && !run.settings.strict) return over
      return denied('run_paused', 'The run is paused and locked: nothing runs until it is resumed.')
    case 'completed':
    case 'failed':
    case 'stopped':
      if (!run.settings.strict) return over
      return denied('no_active_run', 'The run has ended, and in strict mode no run means no tools.')
    case 'waiting':
    case 'running':
      return enforced
  }
}

/**
 * What the lane of the caller says before its state is asked: a checkpoint that waits for a person
 * stops all its tools, and so does a budget that is used up (PR-4, PR-9).
 */
export function judgeLane(run: RunSnapshot, lane: Lane, program: Program): readonly Reason[] {
  const reasons: Reason[] = []
  if (lane.approval?.kind === 'checkpoint') {
    const message = `A person must decide first: ${lane.approval.message}`
    reasons.push({ code: 'run_waiting', message, path: '' })
  }
  const frames = lane === run.main ? lane.frames : [...run.main.frames, ...lane.frames]
  for (const { machine } of frames) {
    const most = program.machines.get(machine)?.sessionBudgetMicros ?? Number.POSITIVE_INFINITY
    if (run.costMicros < most) continue
    const spent = `${run.costMicros / 1_000_000} of ${most / 1_000_000} USD are spent`
    const help = 'A person may start another run or raise it.'
    const message = `${spent}; ${machine} allows no more tool calls in this run. ${help}`
    return [...reasons, { code: 'session_budget_exhausted', message, path: 'session_budget_usd' }]
  }
  return reasons
}

function denied(code: Reason['code'], message: string): Standing {
  return { enforced: false, reasons: [{ code, message, path: '' }] }
}
