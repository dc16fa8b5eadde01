import { type Phrase, phrase, textOf, unfinishedStatuses } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import type { SeenCall } from '../clients/client.ts'
import { recordUnjudged } from '../runtime/blocks/unjudged.ts'
import { activeOfSession } from '../runtime/runs/find-run.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { HookCall } from './hook-call.ts'

const maxNamed = 20
/** Calls announced to a server process before this one may still be running. */
const takenOverMs = 10 * 60_000

/**
 * Writes down calls that the client made and we never judged. There should be none; one means that
 * the client's hooks were off or failed open, or that another server stands under the name of ours,
 * which anyone who reads the history must see.
 */
export async function noteUnjudged(hook: HookCall, calls: readonly SeenCall[]): Promise<void> {
  const { runtime, toolUses, caller, call } = hook
  const unknown: SeenCall[] = []
  for (const seen of calls) if (seen.ran && !(await isKnownAnywhere(hook, seen))) unknown.push(seen)
  if (unknown.length === 0) return
  const live = await activeOfSession(runtime, caller, call.session)
  if (live === undefined) return
  const unjudged: SeenCall[] = []
  for (const seen of unknown) {
    // After a restart of the server only the history still knows.
    const entry = await runtime.store.runs.entryOfCall(live.row.runId, seen.callId)
    if (entry === undefined) unjudged.push(seen)
  }
  if (unjudged.length === 0) return
  for (const { callId } of unjudged) toolUses.tell(caller, callId)
  const named = unjudged.slice(0, maxNamed)
  const shown = named.map(({ tool, callId: call }) => phrase('call_named', { tool, call }))
  const text = phrase('calls_unjudged', { calls: shown })
  await record(hook, live.row.runId, text, unjudged.length)
}

/** Runs of which it is written down already that their hook program was changed. */
const noted = new Set<string>()

/**
 * Writes down that the hook program of a client was changed since it was installed: what it let
 * through nobody has judged.
 */
export async function noteChangedProgram(hook: UnjudgedBy, folder: string): Promise<void> {
  const live = await activeOfSession(hook.runtime, hook.caller, hook.call.session)
  if (live === undefined || noted.has(live.row.runId)) return
  noted.add(live.row.runId)
  await record(hook, live.row.runId, phrase('hook_program_changed', { folder }), 1)
}

/** How many runs of sessions are marked at a time. */
const maxMarked = 200

interface HookWatch {
  readonly changedProgram?: () => string | undefined
}

/** The same for every session with a run: a program that was exchanged need not ask us at all. */
export function watchHooks(
  runtime: Runtime,
  { changedProgram, onUnjudged }: Pick<HookCall, 'onUnjudged'> & HookWatch,
): () => Promise<void> {
  return async () => {
    const folder = changedProgram?.()
    if (folder !== undefined) await noteAll({ runtime, onUnjudged }, folder)
  }
}

async function noteAll(
  hook: Pick<UnjudgedBy, 'runtime' | 'onUnjudged'>,
  folder: string,
): Promise<void> {
  const filter = { status: unfinishedStatuses, limit: maxMarked }
  const { runs } = await hook.runtime.store.runs.list(filter)
  for (const { runId, role, session } of runs) {
    if (session === null || noted.has(runId)) continue
    noted.add(runId)
    await record(
      { ...hook, caller: { role } },
      runId,
      phrase('hook_program_changed', { folder }),
      1,
    )
  }
}

type UnjudgedBy = Pick<HookCall, 'runtime' | 'caller' | 'onUnjudged'> & {
  readonly call: Pick<HookCall['call'], 'session'>
}

async function record(
  {
    runtime,
    caller,
    onUnjudged,
  }: Pick<HookCall, 'runtime' | 'onUnjudged'> & { readonly caller: Pick<Caller, 'role'> },
  runId: string,
  text: Phrase,
  count: number,
): Promise<void> {
  onUnjudged?.(runId, textOf(text))
  await recordUnjudged(runtime, caller, { runId, count, text })
}

/** Before a call is said to be known to nobody the other nodes are asked (ND-6). */
async function isKnownAnywhere(hook: HookCall, seen: SeenCall): Promise<boolean> {
  const { shared } = hook.toolUses
  const { toUs, hasArrived } = hook.toolUses.standing(hook.caller, seen.callId)
  if (shared !== undefined && toUs !== false && !hasArrived) {
    await shared.learn(hook.caller, seen.callId)
  }
  return isKnown(hook, seen)
}

/**
 * A call of our own server is known when it came there: a project may enter a server of our name,
 * and some clients tell no more than that name. Any other is known by its client hook.
 */
function isKnown({ runtime, toolUses, caller, client }: HookCall, seen: SeenCall): boolean {
  const { toUs, hasArrived, isReported } = toolUses.standing(caller, seen.callId)
  if (isReported || hasArrived) return true
  if (toUs !== undefined) return !toUs
  // The history knows other calls by their ids, but not these.
  const isUnwritten = seen.toUs || client.namesCalls === false
  return isUnwritten && runtime.clock.now() - toolUses.since <= takenOverMs
}
