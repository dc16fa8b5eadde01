/**
 * Whether a text has these words as a whole, whatever their case (FC-11). What is joined to more by
 * a sign, as `evil.com` in `bob@evil.com` or `100` in `1.100`, is only a part of a word.
 */
export function mentions(text: string, words: string): boolean {
  const wanted = folded(words.trim())
  if (wanted === '') return false
  const searched = folded(text)
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + 1)) {
    if (!joinsBefore(searched, at) && !joinsAfter(searched, at + wanted.length)) return true
  }
  return false
}

/**
 * In lower case, where that can be taken back: the Kelvin sign would become a `k`, and a name that
 * nobody wrote one that somebody did.
 */
function folded(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  return text.replaceAll(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase()
    return lower.toUpperCase() === letter ? lower : letter
  })
}

function joinsBefore(text: string, at: number): boolean {
  const before = characterBefore(text, at)
  if (before === '') return false
  if (isWordCharacter(before)) return true
  const joins = joiners.has(before) || joinersBefore.has(before)
  const further = characterBefore(text, at - before.length)
  return (joins && isWordCharacter(further)) || isInNumber(further, before, characterAt(text, at))
}

function joinsAfter(text: string, at: number): boolean {
  const after = characterAt(text, at)
  if (after === '') return false
  if (isWordCharacter(after)) return true
  const further = characterAt(text, at + after.length)
  if (joiners.has(after) && isWordCharacter(further)) return true
  return isInNumber(characterBefore(text, at), after, further)
}

const joiners: ReadonlySet<string> = new Set('.@+-/:_&=%~#\\')

/** Parts of addresses, as in o'brien@example.com; behind a word they end it, as in Bob's. */
const joinersBefore: ReadonlySet<string> = new Set("'’!$*?^`{|}")

/** 1,100 and 1'100 are one number each. */
function isInNumber(before: string, sign: string, after: string): boolean {
  return /^[,'’]$/.test(sign) && /^\p{N}$/u.test(before) && /^\p{N}$/u.test(after)
}

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
