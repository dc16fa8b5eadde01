import { globAlternatives, type Segment } from '../call/glob.ts'

/**
 * A union of globs read character by character. `compileGlob` answers for one path; this one can
 * be asked which paths there are at all, so that two globs are told apart for certain.
 */
export interface GlobAutomaton {
  readonly start: number
  readonly next: (node: number, character: string) => number
  readonly accepts: (node: number) => boolean
  /** Characters that some pattern names. */
  readonly alphabet: ReadonlySet<string>
  /** Those that it tells apart at a node: all others lead to one node from there. */
  readonly distinct: (node: number) => readonly string[]
}

/** A position: pattern, segment, and character in it; in a `**` 1 stands for "within a segment". */
type Position = readonly [pattern: number, segment: number, character: number]

export function globAutomaton(patterns: readonly string[]): GlobAutomaton {
  const globs = patterns.flatMap((pattern) => globAlternatives(pattern) ?? [])
  const alphabet = new Set(globs.flatMap((glob) => glob.flatMap((segment) => [...(segment ?? [])])))
  alphabet.delete('*')
  alphabet.delete('?')
  const nodes: Node[] = []
  const numbers = new Map<string, number>()
  const numberOf = (positions: readonly Position[]): number => {
    const key = keyOf(positions)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, nodes.length)
    const distinct = [...new Set(positions.flatMap((one) => markAt(globs, one)))]
    const accepts = positions.some((one) => isEnd(globs, one))
    return nodes.push({ positions, moves: new Map(), accepts, distinct }) - 1
  }
  const next = (node: number, character: string) => {
    const { moves = new Map<string, number>(), positions = [] } = nodes[node] ?? {}
    const found = moves.get(character)
    if (found !== undefined) return found
    const made = numberOf(positions.flatMap((one) => step(globs, one, character)))
    moves.set(character, made)
    return made
  }
  return {
    start: numberOf(globs.flatMap((_, index) => settle(globs, [index, 0, 0]))),
    next,
    accepts: (node) => nodes[node]?.accepts === true,
    alphabet,
    distinct: (node) => nodes[node]?.distinct ?? [],
  }
}

/** A set of positions, and what was found out about it. */
interface Node {
  readonly positions: readonly Position[]
  readonly moves: Map<string, number>
  readonly accepts: boolean
  readonly distinct: readonly string[]
}

function markAt(globs: Globs, position: Position): string[] {
  const mark = segmentAt(globs, position)?.[position[2]]
  return mark === undefined || mark === '*' || mark === '?' ? [] : [mark]
}

type Globs = readonly (readonly Segment[])[]

function segmentAt(globs: Globs, [pattern, segment]: Position): Segment | undefined {
  return globs[pattern]?.[segment]
}

/** A position with all that can be reached from it without reading anything. */
function settle(globs: Globs, position: Position): Position[] {
  const segment = segmentAt(globs, position)
  const [pattern, index, character] = position
  if (segment === undefined) return []
  // `**` may stand for no segment at all.
  if (segment === null && character === 0) {
    return [position, ...settle(globs, [pattern, index + 1, 0])]
  }
  if (segment !== null && segment[character] === '*') {
    return [position, ...settle(globs, [pattern, index, character + 1])]
  }
  return [position]
}

function step(globs: Globs, position: Position, read: string): Position[] {
  const segment = segmentAt(globs, position)
  const [pattern, index, character] = position
  if (segment === undefined) return []
  if (segment === null) return settle(globs, [pattern, index, read === '/' ? 0 : 1])
  if (read === '/') {
    return character === segment.length ? settle(globs, [pattern, index + 1, 0]) : []
  }
  const mark = segment[character]
  if (mark === '*') return settle(globs, position)
  return mark === '?' || mark === read ? settle(globs, [pattern, index, character + 1]) : []
}

function isEnd(globs: Globs, position: Position): boolean {
  const segment = segmentAt(globs, position)
  const [pattern, index, character] = position
  if (segment === undefined) return false
  const isOver = segment === null ? character === 1 : character === segment.length
  return isOver && (globs[pattern] ?? []).slice(index + 1).every((one) => one === null)
}

function keyOf(positions: readonly Position[]): string {
  return [...new Set(positions.map((one) => one.join('.')))].sort().join(' ')
}
