import {
  BoundedMap,
  type Entry,
  isUnfinishedStatus,
  ok,
  phrase,
  type Result,
} from '@statewright/core/internal'
import { type Caller, systemActor } from '../../base/caller.ts'
import type { RuntimeProblem } from '../../base/problem.ts'
import type { Guard } from '../../guard/guard.ts'
import { dispatch } from '../../runtime/dispatch.ts'
import { activeOfSession } from '../../runtime/runs/find-run.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { SessionRow } from '../../store/session-store.ts'
import type { ApprovalRow } from '../../store/store.ts'
import { bindRun } from './bind-run.ts'
import type { BrokerOptions } from './broker-options.ts'
import type { LiveSession } from './live-session.ts'
import { hasHeard, type VerdictNews } from './verdict-news.ts'

type Sessions = Pick<BrokerOptions, 'guard' | 'runtime' | 'observer'>

/**
 * Ends the run of a session that has stopped: nobody works under it any more, and what waits for a
 * person there is withdrawn (SE-11a).
 */
export function endRunOf({ runtime, observer }: Sessions, caller: Caller, session: string): void {
  endRun(runtime, caller, session).catch((fault) => observer.fault(session, fault))
}

async function endRun(runtime: Runtime, caller: Caller, session: string): Promise<void> {
  const live = await activeOfSession(runtime, caller, session)
  if (live === undefined) return
  const reason = phrase('session_stopped', { session })
  await dispatch(runtime, live.row.runId, () => ({
    event: { type: 'stopped', at: runtime.clock.now(), by: systemActor, reason },
    extras: { role: caller.role },
  }))
}

/**
 * A session that is taken up again after a stop works under another run of the same definition:
 * the one that it had has ended with it (SE-11a).
 */
export async function beginRunAgain(
  { runtime }: Sessions,
  caller: Caller,
  { sessionId, runId, projectPath }: SessionRow,
): Promise<Result<null, RuntimeProblem>> {
  if (runId === null) return ok(null)
  const last = (await runtime.store.runs.load(runId))?.row
  if (last === undefined || isUnfinishedStatus(last.status)) return ok(null)
  const { kind, workflow: name } = last
  const definition = kind === 'workflow' ? { workflow: name } : { process: name }
  const bound = await bindRun(runtime, caller, sessionId, { ...definition, projectPath })
  if (!bound.ok) return bound
  await runtime.store.sessions.rebind(sessionId, bound.value)
  return ok(null)
}

/** Tells sessions what people answered in their runs. */
export class Verdicts {
  readonly #sessions: Sessions
  /** Answers that were told: those that another node took may come twice. */
  readonly #reported = new BoundedMap<string, true>(10_000)

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  /** Wakes the session of a run, if it is at work here. */
  tell(sessions: readonly LiveSession[], runId: string, entries: readonly Entry[]): void {
    const session = sessions.find(({ row }) => row.runId === runId)
    if (session === undefined) return
    const news = entries.flatMap((entry) => {
      if (entry.type !== 'approval_resolved' || this.#reported.has(entry.approval_id)) return []
      this.#reported.set(entry.approval_id, true)
      return [entry]
    })
    this.#wake(session, async () => {
      const { approvals } = this.#sessions.runtime.store
      const rows = await Promise.all(news.map((entry) => approvals.get(entry.approval_id)))
      return rows.filter((row) => row !== undefined)
    })
  }

  /** What was answered while nobody had the session, or before the one who had it could tell. */
  catchUp(session: LiveSession): void {
    const { runId } = session.row
    if (runId === null || session.row.kind === 'stopped') return
    this.#wake(session, async () => {
      const { approvals } = this.#sessions.runtime.store
      const rows = await approvals.list({ runId, limit: 100 })
      return rows.filter(({ approvalId }) => {
        if (hasHeard(session.messages, approvalId) || this.#reported.has(approvalId)) return false
        this.#reported.set(approvalId, true)
        return true
      })
    })
  }

  #wake(session: LiveSession, load: () => Promise<readonly ApprovalRow[]>): void {
    const { guard, observer } = this.#sessions
    load()
      .then((rows) => session.wakeWith(newsOf(guard, rows)))
      .catch((fault) => observer.fault(session.row.sessionId, fault))
  }
}

/**
 * What a session should hear of approvals that were answered, of which no call of its own waits
 * for the answer.
 */
function newsOf(
  { words: verdicts }: Pick<Guard, 'words'>,
  rows: readonly ApprovalRow[],
): readonly VerdictNews[] {
  return rows.flatMap((row) => {
    const words = verdictText(row)
    if (words === undefined) return []
    verdicts.tell(row.approvalId)
    return [{ approvalId: row.approvalId, words }]
  })
}

function verdictText({ kind, status, note, details }: ApprovalRow): string | undefined {
  if (kind === 'ask') return undefined
  const what = typeof details.event === 'string' ? details.event : 'it'
  if (status === 'expired') return `Nobody answered in time whether ${what} may happen.`
  if (status !== 'approved' && status !== 'rejected') return undefined
  return `A person ${status} ${what}${note === null || note === '' ? '.' : ` and wrote: ${note}`}`
}
