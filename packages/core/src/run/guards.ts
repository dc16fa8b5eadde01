import { unreachable } from '../base/invariant.ts'
import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../base/json.ts'
import { own } from '../base/own.ts'
import { phrase } from '../base/text/phrase.ts'
import { holds } from '../condition/condition.ts'
import { quotedCondition, seenBy } from '../condition/saw.ts'
import type { FieldGuard } from '../definition/workflow-schema.ts'
import type { Machine, MachineGuard } from '../machine/machine.ts'
import { type GuardFacts, valuesFor } from './condition-values.ts'
import { compareOrdered } from './ordering.ts'
import { type GuardResult, readEvidence } from './read-evidence.ts'
import type { Frame } from './snapshot.ts'

/** Reads one guard against the context from before the transition (WF-17). */
export function readGuard(
  guard: MachineGuard,
  machine: Machine,
  frame: Frame,
  facts: GuardFacts,
): GuardResult {
  switch (guard.kind) {
    case 'field': {
      const saw = fieldValue(frame.context, guard.rule.field, guard.segments)
      const passed = passes(guard.rule, saw)
      const reading = { guard: guard.name, path: guard.path, passed, saw, wants: guard.wants }
      return { reading, needsPerson: false }
    }
    case 'evidence':
      return readEvidence(guard, machine, frame, facts.digests)
    case 'condition': {
      const { name, path, condition } = guard
      const { run, at, by } = facts
      const values = valuesFor([condition], { run, at, by, machine, frame })
      const passed = holds(condition, values) === true
      const saw = Object.fromEntries(seenBy(condition, values).map((one) => [one.what, one.value]))
      const wants = phrase('want_condition', { condition: quotedCondition(condition.text) })
      return { reading: { guard: name, path, passed, saw, wants }, needsPerson: false }
    }
    case 'undefined': {
      const wants = phrase('want_guard', { guard: guard.name })
      return {
        reading: { guard: guard.name, path: guard.path, passed: false, saw: null, wants },
        needsPerson: false,
      }
    }
    default:
      return unreachable(guard)
  }
}

/** A context key of that very name, or a dotted path when there is none (WF-18). */
export function fieldValue(context: JsonObject, field: string, segments: readonly string[]): Json {
  if (Object.hasOwn(context, field)) return context[field] ?? null
  if (segments.length === 1) return null
  let value: Json = context
  for (const segment of segments) {
    const inner: Json | undefined = isJsonObject(value) ? own(value, segment) : undefined
    if (inner === undefined) return null
    value = inner
  }
  return value
}

export function passes(rule: FieldGuard, saw: Json): boolean {
  const value: Json = (rule.value as Json | undefined) ?? null // Zod types JSON values as mutable.
  switch (rule.op) {
    case 'eq':
      return jsonEqual(saw, value)
    case 'neq':
      return !jsonEqual(saw, value)
    case 'gt':
      return compareOrdered(saw, value) > 0
    case 'gte':
      return compareOrdered(saw, value) >= 0
    case 'lt':
      return compareOrdered(saw, value) < 0
    case 'lte':
      return compareOrdered(saw, value) <= 0
    case 'in':
      return saw !== null && Array.isArray(value) && value.some((item) => jsonEqual(item, saw))
    case 'contains':
      if (typeof saw === 'string') return typeof value === 'string' && saw.includes(value)
      return Array.isArray(saw) && saw.some((item) => jsonEqual(item, value))
    case 'exists':
      return saw !== null
    case 'not_exists':
      return saw === null
    default:
      return unreachable(rule.op)
  }
}
