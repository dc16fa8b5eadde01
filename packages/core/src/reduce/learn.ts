import { jsonWithin } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import type { LearntValue, ToolFinished } from '../run/events.ts'
import type { CallRecord, FactRecord, FactValue, RunSnapshot } from '../run/snapshot.ts'
import { type Draft, record } from './draft.ts'
import { factRecord, openForgets, setFact } from './note-call.ts'

/**
 * Takes up what a result teaches: one that we observed, of a call that was let through and has
 * succeeded, asked after the last call that makes the fact wrong (FC-2, FC-4).
 */
export function learn(draft: Draft<ToolFinished>, call: CallRecord): void {
  closeForgets(draft, call)
  const { source, exit, learnt } = draft.event
  if (source !== 'observed' || exit !== 'success' || learnt === undefined) return
  for (const [machine, epochs] of Object.entries(call.teaches ?? {})) {
    const names: string[] = []
    for (const [fact, epoch] of Object.entries(epochs)) {
      const values = own(own(learnt, machine), fact)
      const known = factRecord(draft.run, machine, fact)
      const isLate = known.epoch !== epoch
      if (values === undefined || isLate) continue
      const changes = values.some(({ key, value }) => {
        return value !== undefined || own(known.values, key) !== undefined
      })
      if (!changes) continue
      take(draft, { machine, fact, known, callId: call.id }, values)
      names.push(fact)
    }
    if (names.length === 0) continue
    record(
      draft,
      { type: 'learnt', definition: machine, facts: names, call_id: call.id },
      call.branch,
    )
  }
}

interface Taught {
  readonly machine: string
  readonly fact: string
  readonly known: FactRecord
  readonly callId: string
}

/** What does not fit is not kept, and neither is what it was before: that is no longer true. */
function take(draft: Draft<ToolFinished>, taught: Taught, given: readonly LearntValue[]): void {
  const { machine, fact, known, callId } = taught
  const values: Record<string, FactValue> = { ...known.values }
  let left = limits.factBytesPerRun - bytesOf(draft.run)
  for (const { key, value } of given) {
    if (key.length > limits.nameLength || key === '__proto__') continue
    left += bytesOfValue(key, own(values, key))
    delete values[key]
    if (value === undefined || !jsonWithin(value, factBounds)) continue
    const next = { value, at: draft.event.at, callId }
    const size = bytesOfValue(key, next)
    if (size > left || Object.keys(values).length >= limits.factKeys) continue
    values[key] = next
    left -= size
  }
  setFact(draft, machine, fact, { ...known, values })
}

const factBounds = { bytes: limits.factBytes, depth: limits.jsonDepth } as const

/** Sizes as they would be stored; the same everywhere, so that a replay comes to the same end. */
function bytesOf({ facts = {} }: RunSnapshot): number {
  let sum = 0
  for (const known of Object.values(facts)) {
    for (const { values } of Object.values(known)) sum += bytesOfValues(values)
  }
  return sum
}

function bytesOfValues(values: Readonly<Record<string, FactValue>>): number {
  return Object.entries(values).reduce((sum, [key, one]) => sum + bytesOfValue(key, one), 0)
}

function bytesOfValue(key: string, one: FactValue | undefined): number {
  return one === undefined ? 0 : key.length + JSON.stringify(one.value).length
}

/** A call that made a fact wrong has ended: who asks from now on hears the truth. */
function closeForgets(draft: Draft<ToolFinished>, { id }: CallRecord): void {
  for (const [machine, facts] of Object.entries(draft.run.facts ?? {})) {
    for (const [fact, known] of Object.entries(facts)) {
      if (known.open?.some(({ callId }) => callId === id) !== true) continue
      const open = known.open.filter(({ callId }) => callId !== id)
      const wasAwaited = openForgets(known, draft.event.at).some(({ callId }) => callId === id)
      // Nobody waited for it any more: what was taught meanwhile may be from before.
      const late = wasAwaited ? {} : { values: {}, epoch: known.epoch + 1 }
      setFact(draft, machine, fact, { ...known, ...late, open })
    }
  }
}
