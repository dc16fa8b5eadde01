import { lowerAscii } from '../call/tool-names.ts'

/** An address for comparing: ASCII letters in lower case, no display name. */
export type MailAddress = string

const address = /^[^\s<>()[\]\\,;:@"]{1,64}@[^\s<>()[\]\\,;:@"]{1,255}$/
const domain = /^[^.-][^.]*(?:\.[^.]+)*$/

/**
 * Reads one address, with or without a display name. What mail programs read in different ways is
 * refused: `boss@example.com <other@evil.test>` must not pass as the name in front.
 */
export function parseAddress(text: string): MailAddress | undefined {
  if (text.length > 1000 || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return undefined
  const trimmed = text.trim()
  const named = /^(?:"[^"\\<>]*"|[^"<>()[\]\\,;:@]*)\s*<([^<>]+)>$/.exec(trimmed)
  const bare = named?.[1] ?? trimmed
  if (!address.test(bare) || !domain.test(bare.slice(bare.indexOf('@') + 1))) return undefined
  return lowerAscii(bare)
}

/** Reads the addresses of one field; a comma outside quotes parts them. */
export function parseAddresses(text: string): readonly MailAddress[] | undefined {
  const items = text.match(/(?:"[^"]*"|[^",])+/g) ?? []
  if (items.join(',') !== text) return undefined
  const addresses = items.map(parseAddress)
  return addresses.every((one) => one !== undefined) ? addresses : undefined
}

/** Whether an entry of a list covers an address: the same one, or `*@` and its whole domain. */
export function coversAddress(entry: string, one: MailAddress): boolean {
  const folded = lowerAscii(entry.trim())
  if (folded.startsWith('*@')) return one.slice(one.indexOf('@')) === folded.slice(1)
  return parseAddress(entry) === one
}
