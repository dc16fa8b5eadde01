import { basename } from 'node:path'
import type { ShellFindings } from '@statewright/core/internal'
import { gitWords } from './git-words.ts'
import { hasWildcard, segmentMatches } from './path-match.ts'
import { programOf } from './searched-folders.ts'

type Words = readonly (string | null)[]

/** A folder, or a path with wildcards, below which a command changes what it comes across. */
export interface Sweep {
  readonly path: string
  /** Names of the files that it means; none means all of them. */
  readonly names: readonly string[]
}

/** Whether a sweep over the folder of a path means a file of its name. */
export function meansName({ names }: Sweep, path: string): boolean {
  const name = basename(path).toLowerCase()
  return names.length === 0 || names.some((glob) => segmentMatches(glob.toLowerCase(), name))
}

/** What a command goes over as a whole and changes, though it names none of it. */
export function sweepsOf(shell: ShellFindings): Sweep[] {
  const ofGit = shell.commands.flatMap(({ words }) =>
    programOf(words) === 'git' ? gitSweeps(words.slice(1)) : [],
  )
  return changesWhatIsFound(shell) ? [...ofGit, ...shell.commands.flatMap(foundBy)] : ofGit
}

/** A program that changes files is given the names of others: `find -exec`, `xargs`. */
function changesWhatIsFound({ commands, writes }: ShellFindings): boolean {
  return writes.some(({ how, path, command }) => {
    if (how !== 'file' || path !== null || command === null) return false
    const { via, words } = commands[command] ?? {}
    return via === 'program' && (words?.includes(null) === true || words?.length === 1)
  })
}

const listers: ReadonlySet<string> = new Set(
  'find fd fdfind ls tree grep egrep fgrep rg ag ack git du'.split(' '),
)

function foundBy({ words }: { readonly words: Words }): Sweep[] {
  const program = programOf(words)
  if (!listers.has(program)) return []
  if (program === 'find') return foundByFind(words.slice(1))
  const rest = words.slice(1).filter((word) => word !== null)
  const names = rest.flatMap((word) => /^--(?:include|glob|type-add)=(.+)$/.exec(word)?.[1] ?? [])
  rest.forEach((word, index) => {
    const isGlob = ['-g', '--glob', '--include', '-e', '--extension'].includes(word)
    const glob = rest[index + 1]
    if (isGlob && glob !== undefined) names.push(word.startsWith('-e') ? `*.${glob}` : glob)
  })
  const operands = rest.filter((word) => !word.startsWith('-'))
  if (program === 'git') return foundByGit(operands.slice(1))
  // A pattern of grep or fd stands among the operands: as a folder it is not there.
  const isNarrow = operands.length > 1 && program !== 'ls'
  return (isNarrow ? operands : ['.', ...operands]).map((path) => ({ path, names }))
}

function foundByGit(operands: readonly string[]): Sweep[] {
  const folders = operands.filter((word) => !hasWildcard(word))
  const names = operands.filter(hasWildcard).map((word) => basename(word))
  const isAll = operands.length === 0 || names.length > 0
  return [...(isAll ? ['.'] : []), ...folders].map((path) => ({ path, names }))
}

/** `find` begins in each word before its first test; what one branch of `-o` lists is meant. */
function foundByFind(words: Words): Sweep[] {
  const end = words.findIndex((word) => word === null || /^[-(!]/.test(word))
  const folders = words.slice(0, end < 0 ? words.length : end).filter((word) => word !== null)
  const names = namesOfFind(end < 0 ? [] : words.slice(end))
  return (folders.length === 0 ? ['.'] : folders).map((path) => ({ path, names }))
}

function namesOfFind(tests: Words): string[] {
  const branches: Words[] = [[]]
  for (const word of tests) {
    if (word === '-o' || word === '-or' || word === ',') branches.push([])
    else branches.push([...(branches.pop() ?? []), word])
  }
  const doing = branches.filter((branch) => !branch.includes('-prune'))
  const found = doing.map((branch) =>
    branch.flatMap((word, index) => {
      const isNegated = ['!', '-not'].includes(branch[index - 1] ?? '')
      const isName = word === '-name' || word === '-iname'
      return isName && !isNegated ? [branch[index + 1] ?? '*'] : []
    }),
  )
  return found.some((names) => names.length === 0) ? [] : found.flat()
}

/**
 * Commands of git that remove or take in what it does not track: the settings of clients are such
 * files. What it does track comes back by other means, and a configuration that it changes waits
 * for a person anyway.
 */
function gitSweeps(words: Words): Sweep[] {
  const { folder, verb, rest } = gitWords(words)
  const paths = pathsOf(rest)
  const over = (...found: readonly string[]) =>
    found.map((path) => ({ path: path.startsWith('/') ? path : `${folder}/${path}`, names: [] }))
  const everything = paths.length === 0 ? over('.') : over(...paths)
  switch (verb) {
    case 'clean': {
      if (has(rest, /^-[a-z]*n|^--dry-run$/)) return []
      // What it is told to leave out is no path that it cleans.
      const isLeftOut = (at: number) => /^-[a-z]*e$|^--exclude$/.test(rest[at - 1] ?? '')
      const cleaned = pathsOf(rest.filter((_, index) => !isLeftOut(index))).map((path) => {
        return path.startsWith(':') ? '.' : path
      })
      return cleaned.length === 0 ? over('.') : over(...cleaned)
    }
    case 'stash':
      return has(rest, /^-[a-z]*[ua]|^--include-untracked$|^--all$/) ? over('.') : []
    case 'add':
      return has(rest, /^-[a-z]*f|^--force$/) ? everything : []
    case 'rm':
    case 'mv':
      return over(...paths)
    case 'checkout':
    case 'restore':
      // By name alone: who takes back all of their changes means their own.
      return over(...paths.filter((path) => !/^(?:\.|:\/?|\*)$/.test(path)))
    default:
      return []
  }
}

function has(words: Words, option: RegExp): boolean {
  return words.some((word) => word !== null && option.test(word))
}

function pathsOf(words: Words): string[] {
  const cut = words.indexOf('--')
  const options = words.slice(0, cut < 0 ? words.length : cut)
  const named = options.filter((word) => word !== null && !word.startsWith('-'))
  return [...named, ...(cut < 0 ? [] : words.slice(cut + 1))].filter((word) => word !== null)
}
