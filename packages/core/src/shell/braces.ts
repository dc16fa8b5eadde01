/** More words than this from one brace expansion are not followed. */
const max = 500

/**
 * Brace expansion as bash does it: on the text, before anything else, so that the results have
 * to be read again. Answers null when there are too many, and the text alone when it has none.
 */
export function expandBraces(text: string): string[] | null {
  const found = firstBrace(text)
  if (found === null) return [text]
  const { start, end, pieces } = found
  const before = text.slice(0, start)
  const tails = expandBraces(text.slice(end + 1))
  if (tails === null) return null
  const results: string[] = []
  for (const piece of pieces) {
    const middles = found.isSequence ? [piece] : expandBraces(piece)
    if (middles === null || middles.length * tails.length + results.length > max) return null
    for (const middle of middles) for (const tail of tails) results.push(before + middle + tail)
  }
  return results
}

/**
 * Whether braces stand in a word in a way that bash has rules of its own for: some that expand
 * beside some that do not, as in `a{},b}` or `{{a,b}}`. Such words are not guessed at.
 */
export function isOddlyBraced(text: string, results: readonly string[]): boolean {
  if (results.length === 1 && results[0] === text) {
    const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')]
    return first < last && looseBraces(text) && text.slice(first, last).includes(',')
  }
  return results.some(looseBraces)
}

function looseBraces(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '$' && text[at + 1] === '{') at = skipNested(text, at + 1)
    else if (text[at] === '{' || text[at] === '}') return true
    else at = skipQuoted(text, at)
  }
  return false
}

interface BraceExpression {
  readonly start: number
  readonly end: number
  readonly pieces: string[]
  readonly isSequence: boolean
}

/** The first brace that really expands; quotes, escapes and `${` hide one. */
function firstBrace(text: string): BraceExpression | null {
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '$' && text[at + 1] === '{') {
      at = skipNested(text, at + 1)
      continue
    }
    if (char === '{') {
      const found = readBrace(text, at)
      if (found !== null) return found
      continue
    }
    at = skipQuoted(text, at)
  }
  return null
}

function readBrace(text: string, start: number): BraceExpression | null {
  const pieces: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) {
      at = skipNested(text, at + 1)
    } else if (char === '{') {
      depth++
    } else if (char === '}' && depth > 0) {
      depth--
    } else if (char === '}') {
      if (pieces.length > 0) {
        pieces.push(text.slice(from, at))
        return { start, end: at, pieces, isSequence: false }
      }
      const sequence = readSequence(text.slice(start + 1, at))
      if (sequence === null) return null
      return { start, end: at, pieces: sequence, isSequence: true }
    } else if (char === ',' && depth === 0) {
      pieces.push(text.slice(from, at))
      from = at + 1
    } else {
      at = skipQuoted(text, at)
    }
  }
  return null
}

const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/
const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/

function readSequence(text: string): string[] | null {
  const number = numbers.exec(text)
  const letter = number === null ? letters.exec(text) : null
  const match = number ?? letter
  if (match === null) return null
  const [, first = '', last = '', by] = match
  const from = number ? Number(first) : first.charCodeAt(0)
  const to = number ? Number(last) : last.charCodeAt(0)
  const step = Math.max(1, Math.abs(Number(by ?? 1)))
  const count = Math.floor(Math.abs(to - from) / step) + 1
  if (count > max) return Array.from({ length: max + 1 }, () => '')
  const sign = to < from ? -1 : 1
  return Array.from({ length: count }, (_, index) => {
    const value = from + sign * index * step
    return number ? String(value) : String.fromCharCode(value)
  })
}

/** The last position of what begins at `at`: quoted text and substitutions are skipped whole. */
function skipQuoted(text: string, at: number): number {
  const char = text[at]
  if (char === '\\') return at + 1
  if (char === "'" || char === '"' || char === '`') {
    for (let next = at + 1; next < text.length; next++) {
      if (text[next] === '\\' && char !== "'") next++
      else if (text[next] === char) return next
    }
    return text.length
  }
  if (char === '$' && text[at + 1] === '(') return skipNested(text, at + 1)
  if ((char === '<' || char === '>') && text[at + 1] === '(') return skipNested(text, at + 1)
  return at
}

/** The closing bracket of the one at `open`. */
function skipNested(text: string, open: number): number {
  const opener = text[open]
  const closer = opener === '{' ? '}' : ')'
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const char = text[at]
    if (char === opener) depth++
    else if (char === closer && --depth === 0) return at
    else if (char === '\\' || char === "'" || char === '"') at = skipQuoted(text, at)
  }
  return text.length
}
