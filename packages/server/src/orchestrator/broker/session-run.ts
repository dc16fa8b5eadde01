import { type Entry, phrase } from '@statewright/core/internal'
import { type Caller, systemActor } from '../../base/caller.ts'
import type { Guard } from '../../guard/guard.ts'
import { dispatch } from '../../runtime/dispatch.ts'
import { activeOfSession } from '../../runtime/find-run.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ApprovalRow } from '../../store/store.ts'
import type { BrokerOptions } from './broker-options.ts'
import type { LiveSession } from './live-session.ts'

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

/** Wakes the session of a run with what people answered there. */
export function tellVerdicts(
  { guard, observer }: Sessions,
  sessions: readonly LiveSession[],
  { runId, entries }: { readonly runId: string; readonly entries: readonly Entry[] },
): void {
  if (!entries.some(({ type }) => type === 'approval_resolved')) return
  const session = sessions.find(({ row }) => row.runId === runId)
  if (session === undefined) return
  verdictWords(guard, entries)
    .then((words) => session.wakeWith(words))
    .catch((fault) => observer.fault(session.row.sessionId, fault))
}

/**
 * What a session should hear of approvals that were answered, of which no call of its own waits
 * for the answer.
 */
async function verdictWords(
  { runtime, words }: Pick<Guard, 'runtime' | 'words'>,
  entries: readonly Entry[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const entry of entries) {
    if (entry.type !== 'approval_resolved') continue
    const row = await runtime.store.approvals.get(entry.approval_id)
    const text = row === undefined ? undefined : verdictText(row)
    if (text === undefined) continue
    words.tell(entry.approval_id)
    found.push(text)
  }
  return found
}

function verdictText({ kind, status, note, details }: ApprovalRow): string | undefined {
  if (kind === 'ask') return undefined
  const what = typeof details.event === 'string' ? details.event : 'it'
  if (status === 'expired') return `Nobody answered in time whether ${what} may happen.`
  if (status !== 'approved' && status !== 'rejected') return undefined
  return `A person ${status} ${what}${note === null || note === '' ? '.' : ` and wrote: ${note}`}`
}
