import { unreachable } from '../base/invariant.ts'
import type { Json, JsonObject } from '../base/json.ts'
import type { FieldGuard } from '../definition/workflow-schema.ts'
import type { Machine, MachineCandidate, MachineState } from '../machine/machine.ts'

const maxVariants = 8

/**
 * What an agent can say with an event so that guards behind it pass: they read the context from
 * before a move, and the context holds what the agent reports. The empty report is the last one.
 */
export function claimsFor(machine: Machine, targets: readonly string[]): JsonObject[] {
  const variants = new Map<string, JsonObject>()
  for (const target of targets) {
    const state = machine.states.get(target)
    for (const candidate of state === undefined ? [] : candidatesOf(state)) {
      const data = reportFor(candidate)
      if (Object.keys(data).length === 0 || variants.size >= maxVariants) continue
      variants.set(JSON.stringify(data), data)
    }
  }
  return [...variants.values(), {}]
}

function candidatesOf({ transitions }: MachineState): readonly MachineCandidate[] {
  return [...transitions.values()].flatMap((one) => (one.kind === 'move' ? one.candidates : []))
}

function reportFor({ guards }: MachineCandidate): JsonObject {
  const entries = guards.flatMap((guard) =>
    guard.kind === 'field' ? [[guard.rule.field, valueFor(guard.rule)] as const] : [],
  )
  return Object.fromEntries(entries)
}

/** Some value with which the guard passes. */
function valueFor(rule: FieldGuard): Json {
  const value: Json = (rule.value as Json | undefined) ?? null // Zod types JSON values as mutable.
  switch (rule.op) {
    case 'eq':
    case 'gte':
    case 'lte':
      return value
    case 'neq':
      return typeof value === 'boolean' ? !value : `not ${JSON.stringify(value)}`
    case 'gt':
      return typeof value === 'number' ? value + 1 : `${String(value)}~`
    case 'lt':
      return typeof value === 'number' ? value - 1 : ''
    case 'in':
      return Array.isArray(value) ? (value[0] ?? null) : null
    case 'contains':
      return typeof value === 'string' ? value : [value]
    case 'exists':
      return 'reported'
    case 'not_exists':
      return null
    default:
      return unreachable(rule.op)
  }
}
