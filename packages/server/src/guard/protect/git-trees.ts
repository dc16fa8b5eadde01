import type { ShellFindings } from '@statewright/core/internal'
import { gitWords } from './git-words.ts'
import { programOf } from './searched-folders.ts'

/** Where git would look for files, or put some, other than in the project's own folder. */
export interface GitTrees {
  /** Work trees that the command names, as it writes them. */
  readonly named: readonly string[]
  /** The folder of git is told: whichever folder it stands in is its work tree. */
  readonly isWhereItStands: boolean
  readonly reads: boolean
  readonly changes: boolean
  /** Folders that files of any name are put into. */
  readonly planted: readonly string[]
  /** Paths that a later command of git would write. */
  readonly staged: readonly string[]
}

export function gitTrees({ command, commands }: ShellFindings): GitTrees {
  const calls = commands
    .filter(({ words }) => programOf(words) === 'git')
    .map(({ words }) => gitWords(words.slice(1)))
  const text = calls.length === 0 ? '' : command
  return {
    named: [...text.matchAll(workTree)].map(([, path = '']) => (isComputed(path) ? '/' : path)),
    isWhereItStands: /--git-dir|\bGIT_DIR\b/.test(text),
    reads: calls.some(({ verb }) => !silent.has(verb ?? '')),
    changes: calls.some(({ verb }) => !silent.has(verb ?? '') && !reading.has(verb ?? '')),
    planted: [
      ...[...text.matchAll(inFolder)].map(([, path = '']) => path),
      ...calls.flatMap(({ verb, rest }) => madeBy(verb, rest)),
    ],
    staged: calls.flatMap(({ verb, rest }) =>
      verb === 'update-index' ? rest.flatMap((word) => word?.split(',') ?? []) : [],
    ),
  }
}

const workTree = /(?:--work-tree|\bGIT_WORK_TREE|\bcore\.worktree)(?:=|\s+)["']?([^\s"';|&]+)/gi
const inFolder = /\s--(?:prefix|directory)(?:=|\s+)["']?([^\s"';|&]+)/g

/** A home is known, and so is the folder where the command stands. */
function isComputed(path: string): boolean {
  const rest = path.replace(/^\$(?:HOME|PWD|\{HOME\}|\{PWD\})(?=\/|$)/, '')
  return /[$`(]/.test(rest)
}

/** What they say tells nothing of files that git does not know yet. */
const silent: ReadonlySet<string> = new Set(
  'status log branch rev-parse remote fetch push describe tag config version help'.split(' '),
)
const reading: ReadonlySet<string> = new Set(
  (
    'add commit diff show grep ls-files ls-tree cat-file blame shortlog rev-list merge-base ' +
    'show-ref reflog archive hash-object for-each-ref'
  ).split(' '),
)

type Words = readonly (string | null)[]

/** `git worktree add there`, `git clone from there`, `git submodule add from there`. */
function madeBy(verb: string | null | undefined, rest: Words): string[] {
  const operands = rest.filter((word) => word !== null).filter((word) => !word.startsWith('-'))
  if (verb === 'clone') return operands.slice(1)
  const [action, ...paths] = operands
  return (verb === 'worktree' || verb === 'submodule') && action === 'add' ? paths : []
}
