import { unreachable } from '../base/invariant.ts'
import type { ReasonFacts } from '../base/problem.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { Program } from '../machine/machine.ts'
import { machineOf } from '../run/lanes.ts'
import { isPauseStrict, type Lane, type RunSnapshot } from '../run/snapshot.ts'
import { judgeSpent } from './session-budget.ts'

export interface Standing {
  /** What holds of the definition: all of it, its policy and budget alone, or nothing. */
  readonly holds: 'all' | 'policy' | 'nothing'
  readonly reasons: readonly ReasonFacts[]
}

const enforced: Standing = { holds: 'all', reasons: [] }
const onlyPolicy: Standing = { holds: 'policy', reasons: [] }
const switchedOff: Standing = { holds: 'nothing', reasons: [] }

/** What the run as a whole says before its state is asked (WF-15, WF-27, PR-4). */
export function judgeStanding(run: RunSnapshot, program: Program): Standing {
  switch (run.status) {
    case 'blocked':
      return denied('run_blocked', phrase('run_blocked', { process: program.root.id }))
    case 'paused':
      if (!isPauseStrict(run)) return switchedOff
      return denied('run_paused', phrase(run.held ? 'run_paused_held' : 'run_paused_locked'))
    case 'completed':
    case 'failed':
    case 'stopped':
      if (!closesAtEnd(run, program)) return onlyPolicy
      return denied('no_active_run', phrase('run_ended_closed', { definition: program.root.id }))
    case 'waiting':
    case 'running':
      return enforced
    default:
      return unreachable(run.status)
  }
}

/**
 * Whether no tool may be used between the end of this run and the next. Where strict mode holds, a
 * definition can say otherwise only if it has a policy to go by (WF-15a).
 */
function closesAtEnd({ settings }: RunSnapshot, { root }: Program): boolean {
  if (root.afterEnd === 'closed') return true
  if (settings.strict) return root.afterEnd === null || root.policy === null
  return root.afterEnd === null && settings.inSession === true
}

/**
 * What the lane of the caller says before its state is asked: a checkpoint that waits for a person
 * stops all its tools, and so does a budget that is used up (PR-4, PR-9).
 */
export function judgeLane(run: RunSnapshot, lane: Lane, program: Program): readonly ReasonFacts[] {
  const frames = lane === run.main ? lane.frames : [...run.main.frames, ...lane.frames]
  const spent = judgeSpent(
    run,
    frames.map((frame) => machineOf(program, frame)),
  )
  if (lane.approval?.kind !== 'checkpoint') return spent
  const message = phrase('person_must_decide', { question: lane.approval.message })
  return [{ code: 'run_waiting', message, path: '' }, ...spent]
}

function denied(code: ReasonFacts['code'], message: Phrase): Standing {
  return { holds: 'nothing', reasons: [{ code, message, path: '' }] }
}
