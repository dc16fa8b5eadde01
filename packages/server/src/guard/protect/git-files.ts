import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gitRunsLater } from './path-lists.ts'
import { folded } from './path-match.ts'

/**
 * What git itself writes into its folder while one works, first part of the path. Nothing of it is
 * run; all else in there is a setting, a hook, or says where those stand.
 */
const gitsOwn = new RegExp(
  `^(?:${[
    ...['objects', 'refs', 'logs', 'index', 'packed-refs', 'shallow', 'lost-found', 'rr-cache'],
    ...['(?:[a-z_]+_)?head', '(?:commit|tag)_editmsg', 'merge_(?:msg|mode|rr|autostash)'],
    ...['squash_msg', String.raw`gc\.(?:pid|log)`, String.raw`.*\.lock`],
  ].join('|')})$`,
)

/** Whether a path in a folder of git, or that folder, changes what git runs later. */
export function isGitSetting(path: string): boolean {
  return [...folded(path).matchAll(inGit)].some(([, first]) => {
    // A file that is called `.git` itself leads to a folder of git elsewhere.
    return first === undefined || !gitsOwn.test(first)
  })
}

const inGit = /\/\.git(?:\/(?:worktrees\/[^/]+\/)?([^/]+)|$)/g

const maxModules = 200

/** Settings of the repository at a place, and of its submodules, whether they are there or not. */
export function gitFilesAt(workspace: string): string[] {
  const git = join(workspace, '.git')
  return [git, ...modulesIn(join(git, 'modules'))].flatMap((folder) =>
    gitRunsLater.map((name) => join(folder, name)),
  )
}

/** A submodule may be called after its path, which has folders in between. */
function modulesIn(folder: string): string[] {
  const found: string[] = []
  const waiting = [folder]
  for (let at = waiting.pop(); at !== undefined && found.length < maxModules; at = waiting.pop()) {
    if (existsSync(join(at, 'HEAD'))) found.push(at)
    else waiting.push(...foldersIn(at))
  }
  return found
}

function foldersIn(folder: string): string[] {
  try {
    const inner = readdirSync(folder, { withFileTypes: true })
    return inner.filter((one) => one.isDirectory()).map((one) => join(folder, one.name))
  } catch {
    return []
  }
}
