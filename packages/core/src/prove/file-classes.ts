import { compileGlob } from '../call/glob.ts'
import { maxFileClasses } from './bounds.ts'
import { type GlobAutomaton, globAutomaton } from './glob-automaton.ts'

/** Files that no rule tells apart, and one of them. */
export interface FileClass {
  readonly file: string
  /** Which of the unions of globs match, in their order. */
  readonly matches: readonly boolean[]
}

export interface FileClasses {
  readonly classes: readonly FileClass[]
  readonly classOf: (file: string) => readonly boolean[]
  /** Whether every class there is was found before the bound. */
  readonly complete: boolean
}

/** So many nodes of all automata together are looked at. */
const maxNodes = 20_000

/**
 * All kinds of files that these unions of globs tell apart, each with one file. Files that the
 * author named stand for their class; another is made up.
 */
export function fileClasses(
  unions: readonly (readonly string[])[],
  named: readonly string[] = [],
): FileClasses {
  const globs = unions.map((patterns) => patterns.map(compileGlob))
  const matchesOf = (file: string) => globs.map((union) => union.some((matches) => matches(file)))
  const found = new Map<string, string>()
  for (const file of [...named, ...unions.flat().flatMap(plainName)]) {
    const key = matchesOf(file).join()
    if (!found.has(key)) found.set(key, file)
  }
  const complete = walk(unions.map(globAutomaton), (file, key) => {
    if (!found.has(key))
      found.set(
        key,
        readable(file, (one) => matchesOf(one).join() === key),
      )
    return found.size <= maxFileClasses
  })
  const classes = [...found.values()].map((file) => ({ file, matches: matchesOf(file) }))
  return { classes, complete, classOf: matchesOf }
}

/** A pattern that names one file says best what to call it. */
function plainName(pattern: string): string[] {
  const name = pattern.replace(/^\*\*\//, '')
  return /[*?{}]/.test(name) ? [] : [name]
}

interface Spot {
  readonly nodes: readonly number[]
  readonly path: string
  /** What the last segment holds: nothing yet, dots alone, or anything else. */
  readonly segment: 'empty' | 'dots' | 'named'
}

/** Walks all automata at once, shortest paths first; false when it had to stop. */
function walk(
  automata: readonly GlobAutomaton[],
  visit: (file: string, key: string) => boolean,
): boolean {
  const other = otherCharacter(automata)
  const first: Spot = { nodes: automata.map(({ start }) => start), path: '', segment: 'empty' }
  const waiting = [first]
  const seen = new Set<string>()
  for (let at = 0; at < waiting.length; at++) {
    const spot = waiting[at] ?? first
    if (spot.segment === 'named') {
      const key = automata.map((one, index) => one.accepts(spot.nodes[index] ?? 0)).join()
      if (!visit(spot.path, key)) return false
    }
    const distinct = automata.flatMap((one, index) => one.distinct(spot.nodes[index] ?? 0))
    for (const character of new Set([...other, ...distinct, '/'])) {
      const segment = segmentAfter(spot.segment, character)
      if (segment === undefined) continue
      const nodes = automata.map((one, index) => one.next(spot.nodes[index] ?? 0, character))
      const key = `${segment}\n${nodes.join()}`
      if (seen.has(key)) continue
      if (seen.size >= maxNodes) return false
      seen.add(key)
      waiting.push({ nodes, path: spot.path + character, segment })
    }
  }
  return true
}

/** No path has an empty segment, and none is called `.` or `..`. */
function segmentAfter(segment: Spot['segment'], character: string): Spot['segment'] | undefined {
  if (character === '/') return segment === 'named' ? 'empty' : undefined
  if (character === '.') return segment === 'named' ? 'named' : 'dots'
  return 'named'
}

/** One character that no pattern names stands for all of them. */
function otherCharacter(automata: readonly GlobAutomaton[]): readonly string[] {
  const named = new Set(automata.flatMap(({ alphabet }) => [...alphabet]))
  const other = [...'axyzbcdefghijklmnopqrstuvw0123456789', '\u00b7'].find((one) => !named.has(one))
  return other === undefined ? [] : [other]
}

/** A file of the same class that looks like one. */
function readable(file: string, isSame: (file: string) => boolean): string {
  const name = file.slice(file.lastIndexOf('/') + 1)
  const looksLikeOne = /^[^.].*\.[^.]+$/.test(name)
  if (looksLikeOne) return file
  const folder = file.slice(0, file.length - name.length)
  const tries = [
    ...(name.startsWith('.') ? [`${folder}a${name}`, `${folder}a${name}ts`] : []),
    `${file}/a.ts`,
    `${file}/a.txt`,
    `${folder}a${name}ts`,
    `${folder}a${name}`,
    `${folder}${name}ts`,
    `${file}.ts`,
    `${file}.txt`,
  ]
  return tries.find((one) => isSame(one)) ?? file
}
