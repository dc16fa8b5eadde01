/** A value that survives JSON unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. Its keys may come from an agent, so read them with `own`. */
export interface JsonObject {
  readonly [key: string]: Json
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Deep equality of JSON values; key order does not matter. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => jsonEqual(item, right[index]))
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]))
}

/**
 * Whether a value stays within a size and a depth. It stops counting at the bound, so that a
 * hostile value costs no more than a permitted one.
 */
export function jsonWithin(value: unknown, bounds: { bytes: number; depth: number }): boolean {
  return remaining(value, bounds.bytes, bounds.depth) >= 0
}

function remaining(value: unknown, budget: number, depth: number): number {
  if (budget < 0 || depth < 0) return -1
  if (typeof value === 'string') return budget - value.length - 2
  if (typeof value !== 'object' || value === null) return budget - 8
  let left = budget - 2
  if (Array.isArray(value)) {
    for (const item of value) {
      left = remaining(item, left - 1, depth - 1)
      if (left < 0) return -1
    }
    return left
  }
  for (const key in value) {
    // Any object may be read by its own keys.
    left = remaining((value as JsonObject)[key], left - key.length - 4, depth - 1)
    if (left < 0) return -1
  }
  return left
}
