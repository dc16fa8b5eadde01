import { limits } from '../base/limits.ts'
import type { CallRecord } from '../run/snapshot.ts'

/**
 * Ids that may be among some calls: all of theirs, and perhaps some that are gone. A snapshot is
 * plain data, so that they stand beside it, and each list hands them on to the one after it. Where
 * results never come a run remembers hundreds of calls, and nearly every new call is none of them.
 */
const possibleIds = new WeakMap<readonly CallRecord[], Set<string>>()

const maxIds = 2 * limits.openCalls

/** Lists without an open edit, known in the same way: most calls of a long run change no file. */
const withoutEdits = new WeakSet<readonly CallRecord[]>()

export function findCall(calls: readonly CallRecord[], id: string): CallRecord | undefined {
  if (calls.length > limits.rememberedCalls && !idsOf(calls).has(id)) return undefined
  return calls.find((one) => one.id === id)
}

/** The calls with one more. Ended ones are forgotten first, and then the oldest. */
export function rememberCall(
  calls: readonly CallRecord[],
  made: CallRecord,
): readonly CallRecord[] {
  const next = [...withRoom(calls), made]
  const ids = possibleIds.get(calls)
  if (ids !== undefined && ids.size < maxIds) possibleIds.set(next, ids.add(made.id))
  if (withoutEdits.has(calls) && !changesFiles(made)) withoutEdits.add(next)
  return next
}

/** Calls that change files, and whose result has not come. */
export function openEdits(calls: readonly CallRecord[]): readonly CallRecord[] {
  if (withoutEdits.has(calls)) return []
  const edits = calls.filter((call) => call.status === 'open' && changesFiles(call))
  if (edits.length === 0) withoutEdits.add(calls)
  return edits
}

function changesFiles(call: CallRecord): boolean {
  return call.files.length > 0 || call.shellFiles.length > 0 || call.fires !== undefined
}

function withRoom(calls: readonly CallRecord[]): readonly CallRecord[] {
  if (calls.length < limits.rememberedCalls) return calls
  const oldestDone = calls.findIndex((one) => one.status === 'done')
  if (oldestDone >= 0) return calls.toSpliced(oldestDone, 1)
  return calls.length < limits.openCalls ? calls : calls.slice(1)
}

function idsOf(calls: readonly CallRecord[]): ReadonlySet<string> {
  const known = possibleIds.get(calls)
  if (known !== undefined) return known
  const ids = new Set(calls.map((one) => one.id))
  possibleIds.set(calls, ids)
  return ids
}
