import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readRegularText } from '../../base/read-regular.ts'
import { gitTargets, linkedHooks } from './git-targets.ts'
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

/**
 * Settings of the repository whose working folder this is, with those of its submodules and
 * worktrees, whether they are there or not.
 */
export function gitFilesAt(folder: string): string[] {
  const git = join(folder, '.git')
  const target = gitTarget(git)
  const folders = target === undefined ? gitFoldersIn(git) : [target]
  const settings = folders.flatMap(settingsIn)
  return [
    ...(target === undefined ? settings : [git, ...settings]),
    ...folders.flatMap((one) => [
      ...gitTargets(join(one, 'config'), folder),
      ...linkedHooks(join(one, 'hooks')),
    ]),
  ]
}

/** A folder of git, and those of its submodules and worktrees in it. */
export function gitFoldersIn(git: string): string[] {
  const worktrees = foldersIn(join(git, 'worktrees')).slice(0, maxModules)
  return [git, ...modulesIn(join(git, 'modules')), ...worktrees]
}

/** Where a file that is called `.git` leads to; undefined for a folder. */
export function gitTarget(git: string): string | undefined {
  if (lstatSync(git, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const [, path] = /^gitdir: (.+?)\s*$/.exec(readText(git)) ?? []
  return path === undefined ? undefined : resolve(dirname(git), path)
}

function settingsIn(git: string): string[] {
  return gitRunsLater.map((name) => join(git, name))
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
  return entriesIn(folder, (one) => one.isDirectory())
}

export function linksIn(folder: string): string[] {
  return entriesIn(folder, (one) => one.isSymbolicLink())
}

function entriesIn(folder: string, isMeant: (entry: Dirent) => boolean): string[] {
  try {
    const inner = readdirSync(folder, { withFileTypes: true })
    return inner.filter(isMeant).map((one) => join(folder, one.name))
  } catch {
    return []
  }
}

const maxText = 64 * 1024

/** The text of a small file; empty where there is none or it cannot be one of git's. */
export function readText(file: string): string {
  return readRegularText(file, maxText)
}
