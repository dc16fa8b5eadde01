export { Sealed, sealedMap, sealedValues, sealing } from './sealed.ts'

import { isJsonObject, type Json, type JsonObject } from '../base/json.ts'

/** Lists and maps that a condition goes over: macros cost as much as they are long (FC-12). */
const maxItems = 1000

/** Whether every list and map of a value is short enough to be gone over. */
export function isWithinLists(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const items = Array.isArray(value) ? value : Object.values(value)
  return items.length <= maxItems && items.every(isWithinLists)
}

/** A value of the language as JSON text, where whole numbers are none of it as they are. */
export function valueText(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Map) return Object.fromEntries([...inner].map(([k, v]) => [String(k), v]))
    return typeof inner === 'bigint' ? Number(inner) : inner
  })
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
