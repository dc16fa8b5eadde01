import fc from 'fast-check'

/** A number to choose by; it shrinks to the first choice. A bias to its ends would choose alike. */
export const choice = fc.noBias(fc.nat(10_079))

/** The item that a number chooses. */
export function pick<Item>(items: readonly Item[], by: number): Item {
  if (items.length === 0) throw new Error('nothing to pick from')
  return items[by % items.length] as Item // The index lies within the list.
}

/** Freezes a value with everything in it, so that changing an input throws. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  // An expression checks its own tree when it is first read.
  if ('evaluate' in value) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
  return value
}
