import { isJsonObject, type Json, type JsonObject } from '../base/json.ts'

/** Lists and maps that a condition goes over: macros cost as much as they are long (FC-12). */
const mostItems = 1000

/** Whether every list and map of a value is short enough to be gone over. */
export function isWithinLists(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const items = Array.isArray(value) ? value : Object.values(value)
  return items.length <= mostItems && items.every(isWithinLists)
}

/** The value without what is too long to be gone over: that is unknown, and the rest is not. */
export function withinLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.length > mostItems ? undefined : kept(value)
  const entries = Object.entries(value)
  if (entries.length > mostItems) return undefined
  return Object.fromEntries(
    entries.flatMap(([key, inner]) => {
      const short = withinLists(inner)
      return short === undefined ? [] : [[key, short]]
    }),
  )
}

/** A list with a hole would be another list, so that it goes as a whole. */
function kept(list: readonly unknown[]): unknown {
  const inner = list.map(withinLists)
  return inner.includes(undefined) ? undefined : inner
}

/** How texts are made unreadable and stay comparable (FC-7). */
export interface Sealing {
  /** Replaces each secret in a text by its keyed hash; `name` is the field that holds it. */
  readonly hide: (text: string, name: string) => string
  /** The keyed hash of a whole text. */
  readonly seal: (text: string) => string
}

export const openSealing: Sealing = { hide: (text) => text, seal: (text) => text }

/** The same value with every text in it changed, keys included. */
export function mapTexts(value: Json, change: Sealing['hide'], name = ''): Json {
  if (typeof value === 'string') return change(value, name)
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change, name))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    change(key, ''),
    mapTexts(inner, change, key),
  ])
  return Object.fromEntries(entries) as JsonObject // built from JSON
}
