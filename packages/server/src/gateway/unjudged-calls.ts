import type { SeenCall } from '../clients/client.ts'
import { systemActor } from '../runtime/caller.ts'
import { dispatch } from '../runtime/dispatch.ts'
import { activeOfSession } from '../runtime/find-run.ts'
import { addUnjudged } from '../runtime/unjudged.ts'
import type { HookCall } from './hook-call.ts'

const mostNamed = 20

/**
 * Writes down calls that the client made and we never judged. There should be none; one means that
 * the client's hooks were off or failed open, which whoever reads the history must see.
 */
export async function noteUnjudged(
  { parts, toolUses, caller, call, onUnjudged }: HookCall,
  calls: readonly SeenCall[],
): Promise<void> {
  const unknown = calls.filter(
    (seen) => seen.ran && !seen.toUs && toolUses.find(caller, seen.callId) === undefined,
  )
  if (unknown.length === 0) return
  const live = await activeOfSession(parts, caller, call.session)
  if (live === undefined) return
  const unjudged: SeenCall[] = []
  for (const seen of unknown) {
    // After a restart of the server only the history still knows.
    const entry = await parts.store.runs.entryOfCall(live.row.runId, seen.callId)
    if (entry === undefined) unjudged.push(seen)
  }
  if (unjudged.length === 0) return
  const named = unjudged.slice(0, mostNamed).map((seen) => `${seen.tool} (${seen.callId})`)
  const text = `Calls without a decision of ours: ${named.join(', ')}.`
  onUnjudged?.(live.row.runId, text)
  await addUnjudged(parts, { runId: live.row.runId, count: unjudged.length, text })
  await dispatch(parts, live.row.runId, () => ({
    event: {
      type: 'noted',
      at: parts.clock.now(),
      by: systemActor,
      entry: 'gap',
      code: 'unjudged_call',
      text,
    },
    baggage: { role: caller.role },
  }))
}
