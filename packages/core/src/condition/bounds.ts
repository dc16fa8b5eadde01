/** Lists and maps that a condition goes over: macros cost as much as they are long (FC-12). */
export const mostItems = 1000

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
