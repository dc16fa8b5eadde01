import { spellHidden } from '@statewright/core'

/** Text that an agent wrote, for people: bounded, and with nothing in it that is not seen. */
export function plainText(text: string, most = 2000): string {
  return spellHidden(
    text.length > most ? `${text.slice(0, most)}… (${text.length - most} more)` : text,
  )
}

/** A value as people read it: text as it is, the rest as JSON. */
export function plainValue(value: unknown, most = 20_000): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing')
  return plainText(text, most)
}
