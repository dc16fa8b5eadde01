// Characters that move or hide what stands beside them, or that nobody sees: controls, formats and
// directions, lone halves of a pair, line ends of another kind, spaces that are no space, fillers
// and selectors.
const hidden = new RegExp(
  [
    '(?![\\t\\n])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]',
    '(?! )\\p{Zs}',
    '[\\u115f\\u1160\\u2800\\u3164\\uffa0\\ufe00-\\ufe0e\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'gu',
)

/**
 * Text of somebody else with nothing in it that is not seen; line breaks and tabs stay. In front of
 * a person who decides, a command must look like what it does.
 */
export function spellHidden(text: string): string {
  return text.replaceAll(hidden, spelt)
}

/** The same for text that is JSON, and stays the same JSON. */
export function escapeHidden(json: string): string {
  return json.replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}

/** As a character is written in JavaScript: `\u{202e}`. */
export function spelt(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
