/**
 * Whether text that the parser calls a leaf still holds something bash would expand. The parser
 * has forms where it keeps a substitution as text; what is left over is then never walked, so it
 * has to be denied (SH-1).
 */
export function hidesExpansion(text: string, quoted: boolean): boolean {
  let at = nextSuspect(text, 0, quoted)
  while (at !== -1) {
    if (!isEscaped(text, at) && opensExpansion(text, at, quoted)) return true
    at = nextSuspect(text, at + 1, quoted)
  }
  return false
}

const suspects = /[$`<>]/g
const quotedSuspects = /[$`]/g

function nextSuspect(text: string, from: number, quoted: boolean): number {
  const pattern = quoted ? quotedSuspects : suspects
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match === null ? -1 : match.index
}

const afterDollar = /^[A-Za-z0-9_({[@*#?$!'"-]/

function opensExpansion(text: string, at: number, quoted: boolean): boolean {
  const char = text[at]
  const next = text[at + 1] ?? ''
  if (char === '`') return true
  // Bash joins continued lines first: what follows the newline may make this an expansion.
  if (text.startsWith('\\\n', at + 1)) return true
  if (char === '$') {
    if (quoted && (next === "'" || next === '"')) return false
    return afterDollar.test(next)
  }
  return next === '('
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Whether quoted text would be expanded after all, as under arithmetic (SH-1). */
export function holdsExpansion(text: string): boolean {
  return text.includes('$') || text.includes('`')
}
