/** JSON with sorted keys: the same value gives the same text, however it was put together. */
export function stableText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`
  const pieces: string[] = []
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Readonly<Record<string, unknown>>)[key] // Any object may be read so.
    if (inner !== undefined) pieces.push(`${JSON.stringify(key)}:${stableText(inner)}`)
  }
  return `{${pieces.join(',')}}`
}
