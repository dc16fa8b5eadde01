import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { BoundedMap } from '@statewright/core/internal'

/**
 * A path as the most forgiving file system would compare it: some fold case, some compose letters
 * and some skip characters that nobody sees. Two names that one of them takes for the same file
 * are the same to us.
 */
export function folded(path: string): string {
  if (plain.test(path)) return path.toLowerCase()
  return path.replaceAll(invisible, '').normalize('NFC').toLowerCase()
}

/** What nearly every path is made of. */
const plain = /^[ -~]*$/
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** Whether a path is a folder or lies in it; both folded. */
export function liesIn(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  return path.length === folder.length || folder.endsWith(sep) || path[folder.length] === sep
}

/** Whether a path with wildcards can name something in a folder, or what holds it; both folded. */
export function mayMatch(pattern: string, path: string): 'inside' | 'above' | undefined {
  const wanted = pattern.split('/')
  const segments = path.split('/')
  const shared = Math.min(wanted.length, segments.length)
  for (let index = 0; index < shared; index++) {
    const glob = wanted[index] ?? ''
    if (glob.includes('**')) return endsLike(wanted.at(-1) ?? '', segments.at(-1) ?? '')
    if (!segmentMatches(glob, segments[index] ?? '')) return undefined
  }
  return wanted.length >= segments.length ? 'inside' : 'above'
}

/** Behind two stars only the end tells: what ends in `*.ts` names no `settings.json`. */
function endsLike(glob: string, name: string): 'inside' | undefined {
  const isFile = extname(name) !== ''
  return !isFile || glob.includes('**') || segmentMatches(glob, name) ? 'inside' : undefined
}

export function hasWildcard(text: string): boolean {
  return /[*?[]/.test(text)
}

export function segmentMatches(glob: string, text: string): boolean {
  if (!hasWildcard(glob)) return glob === text
  // A set of characters is taken for any: who writes one means more than one name.
  const simple = glob.replaceAll(/\[[!^]?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]?/g, '?')
  return wildcard(simple, text)
}

/** Stars and question marks, without going back and forth over the text more than once. */
function wildcard(glob: string, text: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0]
  while (at < text.length) {
    if (glob[from] === '*') {
      star = from++
      mark = at
    } else if (glob[from] === '?' || glob[from] === text[at]) {
      from++
      at++
    } else if (star >= 0) {
      from = star + 1
      at = ++mark
    } else return false
  }
  while (glob[from] === '*') from++
  return from === glob.length
}

/** Whether what lies at a path is a file with more than one name: hard links. */
export function hasOtherNames(found: Stats | undefined): found is Stats {
  return found?.isFile() === true && found.nlink > 1
}

/** Whether a file is, under another name, one that lies at or in a place: a hard link. */
export function isLinkInto(file: Stats | undefined, guarded: () => readonly string[]): boolean {
  if (!hasOtherNames(file)) return false
  const key = `${file.dev}:${file.ino}`
  return guarded().some((path) => linkedFiles(path).has(key))
}

const maxLooked = 50_000
const freshMs = 5000
const maxFolders = 1000
const none: ReadonlySet<string> = new Set()
const linkedIn = new BoundedMap<string, { readonly at: number; readonly files: Set<string> }>(
  maxFolders,
)

/**
 * Files with another name that lie at or in a place. Package managers give thousands of files of a
 * project a second name: that by itself says nothing, and to look for each of them again would cost
 * more than judging the call.
 */
function linkedFiles(path: string): ReadonlySet<string> {
  const now = performance.now()
  const top = look(path)
  if (top === undefined) return none
  const key = [path, top.ino, top.ctimeMs].join(' ')
  const before = linkedIn.get(key)
  if (before !== undefined && now - before.at < freshMs) return before.files
  const files = new Set<string>()
  const waiting = [path]
  let left = maxLooked
  for (let at = waiting.pop(); at !== undefined && left > 0; at = waiting.pop(), left--) {
    const found = look(at)
    if (found?.isDirectory() === true) waiting.push(...namesIn(at))
    else if (hasOtherNames(found)) files.add(`${found.dev}:${found.ino}`)
  }
  linkedIn.set(key, { at: now, files })
  return files
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    if (lstatSync(folder).isSymbolicLink()) return []
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
