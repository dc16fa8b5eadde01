// Characters that move or hide what stands beside them. In front of a person who decides, a
// command must look like what it does.
const deceiving = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e]',
    '[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]',
  ].join('|'),
  'g',
)

/** Text that an agent wrote, for people: bounded, and with nothing in it that is not seen. */
export function plainText(text: string, most = 2000): string {
  const cut = text.length > most ? `${text.slice(0, most)}… (${text.length - most} more)` : text
  return cut.replaceAll(deceiving, (one) => `\\u{${one.charCodeAt(0).toString(16)}}`)
}

/** A value as people read it: text as it is, the rest as JSON. */
export function plainValue(value: unknown, most = 20_000): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing')
  return plainText(text, most)
}
