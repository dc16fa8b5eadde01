import { isJsonObject, type Json, jsonEqual } from '../base/json.ts'
import type { FieldGuard } from '../definition/workflow-schema.ts'
import { passes } from '../run/guards.ts'
import { isoInstant } from '../run/ordering.ts'

export interface FieldValues {
  /** For each way in which the rules can come out together, one or two values that bring it. */
  readonly values: readonly Json[]
  /** Whether no way is left out. */
  readonly complete: boolean
}

const maxContained = 4

/**
 * Values that the rules on one field tell apart: each literal, between and beyond literals, missing
 * and something else. Two of a kind are kept, since branches of a fork may change the same field.
 */
export function fieldValues(rules: readonly FieldGuard[]): FieldValues {
  const kinds = new Map<string, Json[]>()
  for (const value of candidates(rules)) {
    const kind = rules.map((rule) => (passes(rule, value) ? '1' : '0')).join('')
    const known = kinds.get(kind) ?? []
    if (known.length < 2 && !known.some((one) => jsonEqual(one, value))) {
      kinds.set(kind, [...known, value])
    }
  }
  return { values: [...kinds.values()].flat(), complete: isComplete(rules) }
}

function candidates(rules: readonly FieldGuard[]): Json[] {
  const literals = rules.flatMap((rule) => literalsOf(rule))
  const plain: Json[] = [null, 'x', 'y', 0, true, false, [], {}]
  const numbers = literals.filter((one) => typeof one === 'number')
  const dates = literals.filter((one) => typeof one === 'string').filter(isDate)
  return [...literals, ...around(numbers), ...aroundDates(dates), ...contained(rules), ...plain]
}

function literalsOf({ op, value }: FieldGuard): Json[] {
  const literal: Json = (value as Json | undefined) ?? null // Zod types JSON values as mutable.
  return op === 'in' && Array.isArray(literal) ? [...literal] : [literal]
}

/** Below, between and above. */
function around(numbers: readonly number[]): number[] {
  const sorted = [...new Set(numbers)].sort((left, right) => left - right)
  return sorted.flatMap((one, index) => {
    const next = sorted[index + 1]
    return [...(index === 0 ? [one - 1] : []), next === undefined ? one + 1 : (one + next) / 2]
  })
}

function isDate(text: string): boolean {
  return Number.isFinite(isoInstant(text))
}

function aroundDates(dates: readonly string[]): string[] {
  return around(dates.map(isoInstant)).flatMap((at) => {
    const date = new Date(at)
    return Number.isFinite(date.getTime()) ? [date.toISOString()] : []
  })
}

/** Lists and texts that hold some of what is looked for. */
function contained(rules: readonly FieldGuard[]): Json[] {
  const wanted = containedIn(rules).slice(0, maxContained)
  const made: Json[] = []
  if (wanted.length === 0) return made
  for (let chosen = 0; chosen < 2 ** wanted.length; chosen++) {
    const some = wanted.filter((_, index) => (chosen & (1 << index)) !== 0)
    made.push(some, [...some, 'x'])
    if (some.every((one) => typeof one === 'string'))
      made.push(some.join(' '), `${some.join(' ')} x`)
  }
  return made
}

function containedIn(rules: readonly FieldGuard[]): Json[] {
  return rules.filter(({ op }) => op === 'contains').flatMap(literalsOf)
}

/**
 * `contains` may look for texts that overlap, or stand beside rules on order: then some way in
 * which they come out together may have no value here.
 */
function isComplete(rules: readonly FieldGuard[]): boolean {
  const wanted = containedIn(rules)
  if (wanted.length === 0) return rules.every(({ value }) => isTame(value))
  const isOrdered = rules.some(({ op }) => ['gt', 'gte', 'lt', 'lte'].includes(op))
  const overlaps = wanted.some((one, index) =>
    wanted.some((other, at) => at !== index && mayOverlap(one, other)),
  )
  return wanted.length <= maxContained && !isOrdered && !overlaps
}

function isTame(value: unknown): boolean {
  return typeof value !== 'number' || Math.abs(value) < 1e12
}

function mayOverlap(one: Json, other: Json): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isJsonObject(one)
  return one.includes(other) || other.includes(one) || one.includes(' ') || other.includes(' ')
}
