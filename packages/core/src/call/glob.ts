import { limits } from '../base/limits.ts'

/** Whether a path relative to the workspace matches. */
export type CompiledGlob = (path: string) => boolean

/**
 * Compiles a glob (WF-30): `*` and `?` stay within a segment, `**` as a whole segment crosses
 * segments and also matches none, `{a,b}` offers alternatives, dot files match, and every other
 * character stands for itself.
 *
 * There is no regular expression behind it. Those that glob libraries make go over a path again
 * and again when a pattern has many stars, and patterns as well as paths come from strangers.
 */
export function compileGlob(pattern: string): CompiledGlob {
  const compiled = globAlternatives(pattern)
  if (compiled === undefined) return () => false
  return (path) => {
    const segments = path.split('/').map(characters)
    return compiled.some((glob) => matchesSegments(glob, segments))
  }
}

/** What a pattern is made of, for anyone who compares patterns; undefined for one with a fault. */
export function globAlternatives(pattern: string): readonly (readonly Segment[])[] | undefined {
  const alternatives = globFault(pattern) === undefined ? unfoldBraces(pattern) : undefined
  return alternatives?.map(compileAlternative)
}

/** Why a pattern cannot be used, or undefined. A pattern with a fault matches nothing. */
export function globFault(pattern: string): string | undefined {
  if (pattern === '') return 'it is empty'
  if (pattern.length > limits.globLength) {
    return `it is longer than ${limits.globLength} characters`
  }
  if (pattern.startsWith('!')) return 'a pattern cannot be negated with "!"'
  if (/[@+?*!]\(/.test(pattern)) return 'groups like "@(a|b)" are not supported; write "{a,b}"'
  if (pattern.includes('\\')) return 'a backslash has no meaning here; separate folders with "/"'
  if (pattern.endsWith('/')) return 'it names a folder; write "folder/**" for what is in it'
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return 'it leaves the workspace with ".."'
  if (unfoldBraces(pattern) === undefined)
    return 'its braces do not match, or expand to too many patterns'
  return undefined
}

/** One segment of a pattern: `null` stands for `**`. */
export type Segment = readonly string[] | null

function compileAlternative(pattern: string): readonly Segment[] {
  const segments = pattern.split('/').filter((part, index) => part !== '.' && (part || index === 0))
  return segments.map((part) =>
    part === '**' ? null : characters(part.replaceAll(/\*{2,}/g, '*')),
  )
}

/** Code points, so that `?` covers a whole character. */
function characters(text: string): readonly string[] {
  return Array.from(text)
}

/**
 * Matches with one point to come back to, the last `**` seen. That is enough: whatever an earlier
 * one could take over, the last one can as well. So the work stays within pattern times path.
 */
function matchesSegments(glob: readonly Segment[], path: readonly (readonly string[])[]): boolean {
  return matchesWithStars(glob, path, (segment) => segment === null, matchesSegment)
}

function matchesSegment(segment: Segment, text: readonly string[]): boolean {
  if (segment === null) return true
  return matchesWithStars(segment, text, isStar, (mark, char) => mark === '?' || mark === char)
}

function isStar(mark: string): boolean {
  return mark === '*'
}

function matchesWithStars<Mark, Item>(
  marks: readonly Mark[],
  items: readonly Item[],
  isStarMark: (mark: Mark) => boolean,
  matches: (mark: Mark, item: Item) => boolean,
): boolean {
  let mark = 0
  let item = 0
  let star = -1
  let resume = 0
  while (item < items.length) {
    const current = marks[mark]
    // Indexes were checked against the lengths, and a mark may itself be null.
    if (mark < marks.length && isStarMark(current as Mark)) {
      star = mark++
      resume = item
      // Both indexes were compared with the lengths just before.
    } else if (mark < marks.length && matches(current as Mark, items[item] as Item)) {
      mark++
      item++
    } else if (star >= 0) {
      mark = star + 1
      item = ++resume
    } else return false
  }
  // The index was compared with the length just before.
  while (mark < marks.length && isStarMark(marks[mark] as Mark)) mark++
  return mark === marks.length
}

/** Every pattern that the braces stand for, or undefined when they do not pair or are too many. */
function unfoldBraces(pattern: string): readonly string[] | undefined {
  const open = pattern.indexOf('{')
  if (open < 0) return pattern.includes('}') ? undefined : [pattern]
  if (pattern.slice(0, open).includes('}')) return undefined
  const choices = choicesAt(pattern, open)
  if (choices === undefined) return undefined
  const unfolded: string[] = []
  for (const choice of choices.list) {
    const rest = unfoldBraces(pattern.slice(0, open) + choice + pattern.slice(choices.end))
    if (rest === undefined || unfolded.length + rest.length > limits.globAlternatives) {
      return undefined
    }
    unfolded.push(...rest)
  }
  return unfolded
}

function choicesAt(pattern: string, open: number): { list: string[]; end: number } | undefined {
  const list: string[] = []
  let depth = 0
  let start = open + 1
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '{') depth++
    if (char === ',' && depth === 1) {
      list.push(pattern.slice(start, at))
      start = at + 1
    }
    if (char === '}' && --depth === 0) {
      list.push(pattern.slice(start, at))
      return { list, end: at + 1 }
    }
  }
  return undefined
}
