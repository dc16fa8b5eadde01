import { type Phrase, phrase } from '../base/text/phrase.ts'
import { maxNesting } from './context.ts'

/** Longer commands are not looked at, so that a decision stays quick (SH-13). */
export const shellLimits = { bytes: 64 * 1024, words: 5000, braces: 300 } as const

/** Why a text is not even parsed, or null. Linear, since the parser is not for every text. */
export function beyondBounds(text: string): Phrase | null {
  if (isLongerThan(text, shellLimits.bytes)) return phrase('sh_too_long')
  if (text.includes('\0')) return phrase('sh_nul_byte')
  if (hasManyBraces(text)) return phrase('sh_too_many_braces')
  if (isDeep(text)) return phrase('sh_too_deep')
  return null
}

/** Bytes count, since that is what bash is given: most signs of other scripts take three. */
function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  if (text.length * 3 <= bytes) return false
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // A half of a pair counts two: together they make the four bytes of one sign.
    if (code < 0x80) length += 1
    else if (code < 0x800 || (code >= 0xd800 && code < 0xe000)) length += 2
    else length += 3
  }
  return length > bytes
}

/** Braces without a space between them cost the parser the square of their number. */
function hasManyBraces(text: string): boolean {
  let braces = 0
  for (let at = text.indexOf('{'); at !== -1 && at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 123 && ++braces > shellLimits.braces) return true
    if (code === 32 || code === 10) {
      braces = 0
      const next = text.indexOf('{', at)
      if (next === -1) return false
      at = next - 1
    }
  }
  return false
}

/**
 * Whether brackets that were never closed are more than the walk would follow. The parser scans
 * each of them to the end of the text, so ten thousand would take seconds. Quotes are not looked
 * at: text that only shows brackets closes them as well.
 */
function isDeep(text: string): boolean {
  if (text.length <= maxNesting) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40 || code === 123 || code === 91) {
      if (++depth > maxNesting) return true
    } else if ((code === 41 || code === 125 || code === 93) && depth > 0) depth--
  }
  return false
}
