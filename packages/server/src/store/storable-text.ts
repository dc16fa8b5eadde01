/**
 * Postgres refuses NUL in text, and both databases turn half of a surrogate pair into a question
 * mark, by which two names would become one. Such characters are written as U+001A and four
 * hexadecimal digits. Text without them, all JSON included, is stored as it is.
 */
export function storable(text: string): string {
  if (text.isWellFormed() && !text.includes(nul) && !text.includes(mark)) return text
  return text.replace(troublesome, (one) => mark + one.charCodeAt(0).toString(16).padStart(4, '0'))
}

export function restored(text: string): string {
  if (!text.includes(mark)) return text
  return text.replace(escaped, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

const nul = '\u0000'
const mark = '\u001a'
const troublesome = /[\u0000\u001a\p{Surrogate}]/gu
const escaped = /\u001a([0-9a-f]{4})/g

/** A value as it is bound to a statement. */
export function storableValue<Value>(value: Value): Value | string {
  return typeof value === 'string' ? storable(value) : value
}

/** A row as it was before it was stored. */
export function restoredRow<Row extends object>(row: Row): Row {
  let changed: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string' || !value.includes(mark)) continue
    changed ??= {}
    changed[name] = restored(value)
  }
  return changed === undefined ? row : { ...row, ...changed }
}

/** JSON whose texts a database can take out again one by one. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => storableValue(inner))
}
