// The same as `spellHidden` of core, which a test compares: the inbox is loaded first, and a value
// taken from core would bring the whole engine with it.
const hidden = new RegExp(
  [
    '(?![\\t\\n])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]',
    '(?! )\\p{Zs}',
    '[\\u115f\\u1160\\u2800\\u3164\\uffa0\\ufe00-\\ufe0e\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'gu',
)

/** Text that an agent wrote, for people: bounded, and with nothing in it that is not seen. */
export function plainText(text: string, max = 2000): string {
  const cut = text.length > max ? `${text.slice(0, max)}… (${text.length - max} more)` : text
  return cut.replaceAll(hidden, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)
}

/** A value as people read it: text as it is, the rest as JSON. */
export function plainValue(value: unknown, max = 20_000): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing')
  return plainText(text, max)
}
