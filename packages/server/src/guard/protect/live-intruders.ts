import { lstatSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { isThere } from '../../base/looks.ts'
import { type Cage, isWithin } from '../../sandbox/cage.ts'
import { madeSince } from '../../sandbox/put-aside.ts'
import { gitFoldersIn, gitTarget, readText } from './git-files.ts'
import { linkedFolders, unsafeGitFiles, unsafePart } from './new-repository.ts'
import { guardNames } from './path-lists.ts'

/** How a workspace was before a command: what is new there and does not stand here came since. */
export interface Before extends Pick<Cage, 'workspace' | 'links'> {
  /** Paths that git or a client would take for settings at once, and that were not there. */
  readonly absent: readonly string[]
  readonly repositories: readonly string[]
  readonly settings: readonly string[]
  /** Those of submodules and worktrees in the folder of git, and links among them. */
  readonly gitFolders: readonly string[]
}

/**
 * What must not be, as far as something that has just come into being or changed tells: git and
 * clients outside of the sandbox would take it for their settings while the command still runs.
 */
export function intrudersAt(path: string, before: Before): string[] {
  const { workspace, links } = before
  const near = before.absent.filter((one) => isWithin(one, path) || isWithin(path, one))
  const made = madeSince({ workspace, absent: near, links })
  return [...made, ...settingsOver(path, before), ...gitsOver(path, before)]
}

const deepestName = Math.max(...guardNames.map((name) => name.split('/').length))

/** Settings of a client in a folder below the workspace whose name ends or begins here. */
function settingsOver(path: string, { workspace, settings }: Before): string[] {
  const found: string[] = []
  let folder = dirname(path)
  for (let level = 0; level < deepestName && folder !== workspace; level++) {
    if (!isWithin(folder, workspace)) break
    const first = path.slice(folder.length + 1).split(sep)[0] ?? ''
    found.push(...settingsAt(folder, first).filter((one) => !settings.includes(one)))
    folder = dirname(folder)
  }
  return found
}

function gitsOver(path: string, before: Before): string[] {
  const { workspace, repositories, gitFolders } = before
  const own = join(workspace, '.git')
  const names = path.slice(workspace.length + 1).split(sep)
  const at = names.indexOf('.git')
  if (at < 0) return []
  const git = join(workspace, ...names.slice(0, at + 1))
  if (git !== own) {
    if (repositories.includes(git) || isEmptyFile(git) || !isThere(git)) return []
    return unsafeGitFiles(
      git,
      [own, ...repositories].map((one) => gitTarget(one) ?? one),
    )
  }
  if (names[1] !== 'modules' && names[1] !== 'worktrees') return []
  const added = gitFoldersIn(own).filter((part) => !gitFolders.includes(part) && isWhole(part))
  const links = linkedFolders(own).filter((link) => !gitFolders.includes(link))
  return [...added.flatMap((part) => unsafePart(part, own)), ...links]
}

/** Git makes a file and then writes into it. */
function isEmptyFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === 0
}

/** A worktree is made in steps; before it says where its repository is, it is none. */
function isWhole(part: string): boolean {
  const isWorktree = basename(dirname(part)) === 'worktrees'
  return !isWorktree || readText(join(part, 'commondir')) !== ''
}

/** By the first part of their names, so that most entries of a folder cost one look-up. */
const namesByFirst = Map.groupBy(guardNames, (name) => name.split('/')[0] ?? '')

export function settingsAt(folder: string, first: string): string[] {
  const paths = (namesByFirst.get(first) ?? []).map((name) => join(folder, name))
  return paths.filter(isThere)
}
