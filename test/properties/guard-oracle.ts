import { isDeepStrictEqual } from 'node:util'
import type { DigestFacts, JsonObject, WorkflowDefinition } from '@statewright/core/internal'
import type {
  FieldGuard,
  GuardedTransition,
} from '../../packages/core/src/definition/workflow-schema.ts'
import type { Frame } from '../../packages/core/src/run/snapshot.ts'

/** Guards read by a tiny interpreter of their own (WF-18, WF-31). */
export function passesAll(
  definition: WorkflowDefinition,
  candidate: GuardedTransition,
  frame: Frame,
  digests: DigestFacts | undefined,
): boolean {
  return guardNamesOf(candidate).every((name) => {
    const guard = definition.guards?.[name]
    if (guard === undefined) return false
    // Conditions have tests of their own; a world of these has none.
    if ('when' in guard) return false
    return 'evidence' in guard
      ? holds(definition, guard.evidence, frame, digests)
      : passes(guard, fieldOf(frame.context, guard.field))
  })
}

export function guardNamesOf(candidate: GuardedTransition): readonly string[] {
  return [...(candidate.guard === undefined ? [] : [candidate.guard]), ...(candidate.guards ?? [])]
}

function fieldOf(context: JsonObject, field: string): unknown {
  if (Object.hasOwn(context, field)) return context[field]
  if (!field.includes('.')) return null
  let value: unknown = context
  for (const part of field.split('.')) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject || !Object.hasOwn(value as object, part)) return null
    value = (value as JsonObject)[part]
  }
  return value
}

function passes({ op, value = null }: FieldGuard, saw: unknown): boolean {
  const order = compare(saw, value)
  switch (op) {
    case 'eq':
      return isDeepStrictEqual(saw, value)
    case 'neq':
      return !isDeepStrictEqual(saw, value)
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    case 'in':
      return saw !== null && (value as unknown[]).some((one) => isDeepStrictEqual(one, saw))
    case 'contains':
      if (typeof saw === 'string') return typeof value === 'string' && saw.includes(value)
      return Array.isArray(saw) && saw.some((one) => isDeepStrictEqual(one, value))
    case 'exists':
      return saw !== null
    case 'not_exists':
      return saw === null
  }
}

/** The dates that our generators write; no other text is one. */
const instants: Readonly<Record<string, number>> = {
  '2026-01-31': 0,
  '2026-01-31T10:00:00Z': 10,
  '2026-01-31T12:00:00+02:00': 10,
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN
  return (instants[left] ?? Number.NaN) - (instants[right] ?? Number.NaN)
}

function holds(
  { evidence }: WorkflowDefinition,
  name: string,
  frame: Frame,
  digests: DigestFacts | undefined,
): boolean {
  const fact = evidence?.[name]
  const known = Object.hasOwn(frame.evidence, name) ? frame.evidence[name] : undefined
  if (fact === undefined || known?.outcome !== 'proved') return false
  if (known.source === 'reported' && fact.trust !== 'reported') return false
  if (fact.stale_after === undefined) return true
  const now = digests?.[name]?.stale
  const same = known.before?.stale === known.after?.stale && known.after?.stale === now
  return same && typeof now === 'string' && !known.touched
}

/** What says what commands do, as every generated run finds it (`digestsAtStart`). */
const definedAtStart = 'p0'

/** Whether a person must confirm, since what defines the proof was changed (WF-31). */
export function needsPerson(
  definition: WorkflowDefinition,
  candidate: GuardedTransition,
  frame: Frame,
  digests: DigestFacts | undefined,
): boolean {
  return guardNamesOf(candidate).some((name) => {
    const guard = definition.guards?.[name]
    if (guard === undefined || !('evidence' in guard)) return false
    const before = frame.evidence[guard.evidence]?.before?.definedBy
    const now = digests?.[guard.evidence]?.definedBy
    return before !== definedAtStart || now !== definedAtStart
  })
}
