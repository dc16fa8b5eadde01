import { hash } from 'node:crypto'

/** A name for a call that its client gives none: from who asks for what. */
export function callDigest(session: string, tool: string, input: unknown): string {
  return hash('sha256', `${session}\n${tool}\n${sorted(input)}`).slice(0, 32)
}

/** The order of keys may change between a call and its result, and between two doors. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
