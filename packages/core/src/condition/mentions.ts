/**
 * Whether a text has these words as a whole, whatever their case (FC-11). What is joined to more by
 * a sign, as `evil.com` in `bob@evil.com` or `100` in `1.100`, is only a part of a word.
 */
export function mentions(text: string, words: string): boolean {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return false
  const searched = text.toLowerCase()
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + 1)) {
    if (!joinsBefore(searched, at) && !joinsAfter(searched, at + wanted.length)) return true
  }
  return false
}

function joinsBefore(text: string, at: number): boolean {
  const before = characterBefore(text, at)
  if (before === '') return false
  if (isWordCharacter(before)) return true
  return joiners.has(before) && isWordCharacter(characterBefore(text, at - before.length))
}

function joinsAfter(text: string, at: number): boolean {
  const after = characterAt(text, at)
  if (after === '') return false
  if (isWordCharacter(after)) return true
  return joiners.has(after) && isWordCharacter(characterAt(text, at + after.length))
}

const joiners: ReadonlySet<string> = new Set('.@+-/:_&=%~#')

function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{N}\p{M}_]$/u.test(character)
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function characterBefore(text: string, at: number): string {
  if (at <= 0) return ''
  const last = text.charCodeAt(at - 1)
  const isPair = last >= 0xdc00 && last <= 0xdfff && at >= 2
  return characterAt(text, isPair ? at - 2 : at - 1)
}
