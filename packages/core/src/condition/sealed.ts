import { isJsonObject } from '../base/json.ts'

/** How a text shows that a part of it was replaced before anybody read it (FC-7). */
const marks = /sealed:[0-9a-f]{32}|\[redacted\]/
const everyMark = new RegExp(marks, 'g')

/**
 * A value of which a condition knows only that it equals another one with the same hash. All else
 * that is asked of it has no answer: the expression language knows no operation on it.
 */
export class Sealed {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Undefined where they may be the same or not: other words may hide the same text. */
  equals(other: unknown): true | undefined {
    if (!(other instanceof Sealed) || this.#text !== other.#text) return undefined
    return this.#text.includes('[redacted]') ? undefined : true
  }

  /** True where the words stand beside what is hidden; whether they stand in it nobody knows. */
  shows(isShown: (text: string) => boolean): true | undefined {
    return this.#text.split(everyMark).some(isShown) ? true : undefined
  }

  /** As it is stored and told. */
  toJSON(): string {
    return this.#text
  }

  toString(): string {
    return this.#text
  }
}

/** On values of which some are sealed: these are read with care. */
export const sealedValues: unique symbol = Symbol('sealed values')

function isSealedText(text: string): boolean {
  return (text.includes('sealed:') || text.includes('[redacted]')) && marks.test(text)
}

/** The very same value where nothing in it is sealed; else a copy with what is. */
export function sealing(value: unknown): unknown {
  if (typeof value === 'string') return isSealedText(value) ? new Sealed(value) : value
  if (Array.isArray(value)) {
    const items = value.map(sealing)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  // With a name that is hidden, nobody knows what the map has and what it has not.
  if (entries.some(([key]) => isSealedText(key))) return new Sealed(JSON.stringify(value))
  const changed = entries.map(([key, inner]) => [key, sealing(inner)] as const)
  const isChanged = changed.some(([, inner], index) => inner !== entries[index]?.[1])
  return isChanged ? Object.assign(Object.create(null), Object.fromEntries(changed)) : value
}

/** Keys and values of a fact, of which some are sealed, as the expression language reads a map. */
export function sealedMap(entries: readonly (readonly [string, unknown])[]): Map<unknown, unknown> {
  return new Map(entries.map(([key, value]) => [sealing(key), value]))
}

export function holdsSealed(value: unknown): boolean {
  if (value instanceof Sealed) return true
  if (Array.isArray(value)) return value.some(holdsSealed)
  if (value instanceof Map) return [...value].some(([key, inner]) => holdsSealed([key, inner]))
  if (typeof value !== 'object' || value === null || value instanceof Date) return false
  return Object.values(value).some(holdsSealed)
}
