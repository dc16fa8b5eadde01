import type { Caller } from '../base/caller.ts'
import type { RunRef } from '../runtime/find-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { seesRun } from '../runtime/scope.ts'
import { isUnfinished } from '../runtime/session-index.ts'
import type { RunRow } from '../store/store.ts'
import { loadedBy } from './which-run.ts'

/**
 * The last run of a session, of a connection or of an agent's token, where it has ended: until the
 * next one begins its policy still holds, or nothing may be used at all (WF-15a).
 */
export async function endedRun(
  runtime: RuntimeParts,
  caller: Caller,
  { session, connection }: RunRef,
): Promise<LiveRun | undefined> {
  if (session === undefined) {
    const loaded = await loadedBy(runtime, caller, connection?.key)
    if (loaded !== undefined) return isUnfinished(loaded.row.status) ? undefined : loaded
    if (caller.kind !== 'agent') return undefined
    return ended(runtime, caller, [await runtime.sessions.lastRunOf(caller.tokenId)])
  }
  const keys = await runtime.sessions.keysOf(caller, session)
  return ended(runtime, caller, await Promise.all(keys.map((key) => runtime.sessions.lastRun(key))))
}

async function ended(
  runtime: RuntimeParts,
  caller: Caller,
  rows: readonly (RunRow | undefined)[],
): Promise<LiveRun | undefined> {
  const seen = rows.filter((row) => row !== undefined && seesRun(caller, row))
  const [last] = seen.toSorted((one, other) => (other?.createdAt ?? 0) - (one?.createdAt ?? 0))
  if (last === undefined || isUnfinished(last.status)) return undefined
  return runtime.live.get(last.runId)
}
