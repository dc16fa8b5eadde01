/** A copy with one field set, or taken out where the value is undefined. */
export function withField(whole: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  const members = isRecord(whole) ? Object.entries(whole) : []
  const before = members.find(([key]) => key === name)?.[1]
  if (value === undefined && before === undefined) return whole
  const inner = rest.length === 0 ? value : withField(before, rest, value)
  if (inner === undefined) return fromEntries(members.filter(([key]) => key !== name))
  if (before === undefined && !members.some(([key]) => key === name)) {
    return fromEntries([...members, [name, inner]])
  }
  return fromEntries(members.map(([key, member]) => [key, key === name ? inner : member]))
}

export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Not by assignment: a member may be called `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries)
}
