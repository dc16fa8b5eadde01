import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BoundedMap } from '@statewright/core/internal'
import { gitFilesAt, gitFoldersIn, gitTarget } from './git-files.ts'
import { type Before, settingsAt } from './live-intruders.ts'
import { linkedFolders, plansToRun, unsafeGitFiles, unsafePart } from './new-repository.ts'

/** Bounds of one look into a workspace: it is taken before and after a command that may write. */
const bounds = { depth: 6, folders: 4000, repositories: 50, found: 500, ms: 1000 }

interface InnerFiles {
  /** Each `.git` below the workspace, folder or file. */
  readonly repositories: readonly string[]
  /** Settings of clients, and configurations of ours, in folders below it. */
  readonly settings: readonly string[]
  /** The folders that were looked into. */
  readonly folders: readonly string[]
  /** False where a bound was met: there may be more. */
  readonly isWhole: boolean
}

export interface InnerGuards {
  /** What git runs later, what says where that stands, and what sets a client up. */
  readonly settings: readonly string[]
  /** Folders below the workspace, and how it is in them now, to be watched while a command runs. */
  readonly folders: readonly string[]
  readonly before: Pick<Before, 'repositories' | 'settings' | 'gitFolders'>
  /** What came into being since, and would run something later or set a client up again. */
  unsafeNew(): readonly string[]
}

/**
 * What guards a workspace in its folders: the repositories below it (submodules, clones, worktrees)
 * and in its own folder of git, and settings of clients that are started down there.
 */
export function innerGuards(workspace: string): InnerGuards {
  const before = lookInto(workspace)
  const git = join(workspace, '.git')
  const gitFolders = gitFoldersIn(git)
  const foldersBefore = new Set(gitFolders)
  const planned = new Set([...plansToRun(git), ...linkedFolders(git)])
  return {
    settings: [
      ...before.repositories.flatMap((inner) => gitFilesAt(dirname(inner))),
      ...before.settings,
    ],
    folders: [git, join(git, 'modules'), join(git, 'worktrees'), ...before.folders],
    before: {
      repositories: before.repositories,
      settings: before.settings,
      gitFolders: [...gitFolders, ...linkedFolders(git)],
    },
    unsafeNew() {
      const folders = gitFoldersIn(git).filter((part) => !foldersBefore.has(part))
      const found = folders.flatMap((part) => unsafePart(part, git))
      const now = [...plansToRun(git), ...linkedFolders(git)]
      found.push(...now.filter((path) => !planned.has(path)))
      // Where not all were found, one that was there before would be taken for a new one.
      if (!before.isWhole) return found
      const known = new Set(before.repositories)
      const gits = [git, ...known].map((one) => gitTarget(one) ?? one)
      const after = lookInto(workspace)
      const added = after.repositories.filter((one) => !known.has(one))
      found.push(...added.flatMap((one) => unsafeGitFiles(one, gits)))
      const set = new Set(before.settings)
      return [...found, ...after.settings.filter((path) => !set.has(path))]
    },
  }
}

const maxKnown = 100
const known = new BoundedMap<string, readonly string[]>(maxKnown)

/**
 * What was found once is held on to: with some thousand new folders a command could bring the next
 * look to its bounds before it comes to them.
 */
function lookInto(workspace: string): InnerFiles {
  const found = search(workspace)
  const all = new Set([...(known.get(workspace) ?? []), ...found.repositories])
  const there = [...all].filter(isStillThere)
  known.set(workspace, there.slice(0, bounds.repositories))
  return { ...found, repositories: there.slice(0, bounds.repositories) }
}

/** Folder by folder, the nearest first. */
function search(workspace: string): InnerFiles {
  const repositories: string[] = []
  const settings: string[] = []
  const until = performance.now() + bounds.ms
  const folders: string[] = []
  let level = [workspace]
  for (let depth = 0; depth <= bounds.depth && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      folders.push(folder)
      if (folders.length > bounds.folders || performance.now() > until) {
        return { repositories: oldest(repositories), settings, folders, isWhole: false }
      }
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name)
        if (entry.name === '.git') {
          if (depth > 0) repositories.push(path)
          continue
        }
        if (depth > 0) settings.push(...settingsAt(folder, entry.name))
        if (entry.isDirectory() && entry.name !== 'node_modules') next.push(path)
      }
      if (repositories.length > bounds.found) {
        return { repositories: oldest(repositories), settings, folders, isWhole: false }
      }
    }
    level = next
  }
  const isWhole = repositories.length <= bounds.repositories
  const held = isWhole ? repositories : oldest(repositories)
  return { repositories: held, settings, folders, isWhole }
}

/** The first to be held are those that were there first: new ones may be decoys. */
function oldest(repositories: readonly string[]): string[] {
  const bornAt = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0
  return repositories
    .map((path) => ({ path, at: bornAt(path) }))
    .sort((one, other) => one.at - other.at)
    .map(({ path }) => path)
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function isStillThere(git: string): boolean {
  return entriesOf(dirname(git)).some(({ name }) => name === '.git')
}
