import { own } from '../base/own.ts'
import type { ToolFinished } from '../run/events.ts'
import { openSealing, readResult } from '../run/read-result.ts'
import type { CallRecord, RunSnapshot } from '../run/snapshot.ts'
import { redacted, type StoredTexts } from './known-call.ts'
import type { Doubts, Readings } from './readings.ts'
import { ownedName } from './rule-change.ts'

type Taught = Pick<ToolFinished, 'learnt' | 'fired'>

/** Whether the changed rules read a result of which the recorded outcome tells nothing. */
export function wantsOutput(rules: Readings, run: RunSnapshot, { callId }: ToolFinished): boolean {
  if (isAllRecorded(rules)) return false
  const call = openCall(run, callId)
  return call !== undefined && unknownNames(rules, call).length > 0
}

/**
 * What a result teaches and fires under the changed rules: the recorded outcome where the rule was
 * the same then, else what the kept output gives, else nothing and a doubt (RP-4).
 */
export function resultFacts(
  rules: Readings,
  run: RunSnapshot,
  event: ToolFinished,
  { output }: StoredTexts,
  doubts: Doubts,
): { readonly event: ToolFinished; readonly missing: readonly string[] } {
  const isSilent = event.learnt === undefined && event.fired === undefined
  if (isSilent && isAllRecorded(rules)) return { event, missing: [] }
  const { learnt: _, fired: __, ...rest } = event
  const call = openCall(run, event.callId)
  if (call === undefined) return { event: rest, missing: [] }
  const kept = outputText(call, output)
  const again =
    kept === undefined
      ? undefined
      : readResult(rules.program, run, call.id, {
          ...rest,
          result: { text: kept },
          sealing: openSealing,
        })
  const taught = joined(rules, call, event, again)
  if (again !== undefined) return { event: { ...rest, ...taught }, missing: [] }
  const unknown = unknownNames(rules, call)
  for (const { fact } of unknown) if (fact !== undefined) doubts.facts.add(fact)
  const missing = unknown.flatMap(({ interrupt }) => interrupt ?? [])
  return { event: { ...rest, ...taught }, missing }
}

/** Most changes touch no rule that reads results. */
function isAllRecorded({ unrecorded }: Readings): boolean {
  return unrecorded.facts.size === 0 && unrecorded.interrupts.size === 0
}

interface Unknown {
  readonly fact?: string
  readonly interrupt?: string
}

function unknownNames({ unrecorded }: Readings, { teaches, mayFire }: CallRecord): Unknown[] {
  const facts = owned(teaches).filter((name) => unrecorded.facts.has(name))
  const interrupts = owned(mayFire).filter((name) => unrecorded.interrupts.has(name))
  return [
    ...facts.map((fact) => ({ fact })),
    ...interrupts.map((name) => ({ interrupt: `result, for the interrupt ${name}` })),
  ]
}

function owned(byDefinition: Readonly<Record<string, object>> | undefined): string[] {
  return Object.entries(byDefinition ?? {}).flatMap(([id, names]) =>
    (Array.isArray(names) ? names : Object.keys(names)).map((name: string) => ownedName(id, name)),
  )
}

function joined(
  { unrecorded }: Readings,
  { teaches, mayFire }: CallRecord,
  event: ToolFinished,
  again: Taught | undefined,
): Taught {
  const learnt = Object.entries(teaches ?? {}).map(([id, epochs]) => {
    const values = Object.keys(epochs).flatMap((name) => {
      const isNew = unrecorded.facts.has(ownedName(id, name))
      const found = own(own((isNew ? again : event)?.learnt, id), name)
      return found === undefined ? [] : [[name, found] as const]
    })
    return [id, Object.fromEntries(values)] as const
  })
  const fired = Object.entries(mayFire ?? {}).map(([id, names]) => {
    const held = names.filter((name) => {
      const isNew = unrecorded.interrupts.has(ownedName(id, name))
      return own((isNew ? again : event)?.fired, id)?.includes(name) === true
    })
    return [id, held] as const
  })
  return { ...filled('learnt', learnt), ...filled('fired', fired) }
}

function filled<Value extends object>(
  name: 'learnt' | 'fired',
  entries: readonly (readonly [string, Value])[],
): Taught {
  const kept = entries.filter(([, value]) => Object.keys(value).length > 0)
  return kept.length === 0 ? {} : { [name]: Object.fromEntries(kept) }
}

function openCall(run: RunSnapshot, callId: string): CallRecord | undefined {
  return run.calls.find(({ id, status }) => id === callId && status !== 'done')
}

/** A text of which a part or a secret was left out teaches something else than the whole did. */
function outputText({ capability }: CallRecord, output: string | undefined): string | undefined {
  // Of a command the number that it ended with is not kept.
  if (output === undefined || capability === 'bash') return undefined
  try {
    const text: unknown = JSON.parse(output)
    if (typeof text !== 'string' || text.includes(redacted)) return undefined
    return /\n\[\d+ characters left out\]\n/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
