import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BoundedMap } from '@statewright/core/internal'
import { gitFilesAt } from './git-files.ts'
import { unsafeGitFiles } from './new-repository.ts'

/** Bounds of one look into a workspace: it is taken before and after a command that may write. */
const bounds = { depth: 6, folders: 4000, repositories: 50, ms: 1000 }

interface Found {
  /** Each `.git` below the workspace, folder or file. */
  readonly repositories: readonly string[]
  /** False where a bound was met: there may be more. */
  readonly isWhole: boolean
}

export interface InnerRepositories {
  /** What git runs later, or what says where that stands, in each of them. */
  readonly settings: readonly string[]
  /** What came into being since, and would run something the next time that git is used there. */
  unsafeNew(): readonly string[]
}

/** The repositories in folders below a workspace: submodules, clones, worktrees. */
export function innerRepositories(workspace: string): InnerRepositories {
  const before = lookInto(workspace)
  return {
    settings: before.repositories.flatMap((git) => gitFilesAt(dirname(git))),
    unsafeNew() {
      // Where not all were found, one that was there before would be taken for a new one.
      if (!before.isWhole) return []
      const known = new Set(before.repositories)
      const added = lookInto(workspace).repositories.filter((git) => !known.has(git))
      return added.flatMap((git) => unsafeGitFiles(git, [join(workspace, '.git'), ...known]))
    },
  }
}

const maxKnown = 100
const known = new BoundedMap<string, readonly string[]>(maxKnown)

/**
 * What was found once is held on to: with some thousand new folders a command could bring the next
 * look to its bounds before it comes to them.
 */
function lookInto(workspace: string): Found {
  const found = search(workspace)
  const all = new Set([...(known.get(workspace) ?? []), ...found.repositories])
  const there = [...all].filter(isThere)
  known.set(workspace, there.slice(0, bounds.repositories))
  return { ...found, repositories: there.slice(0, bounds.repositories) }
}

/** Folder by folder, the nearest first. */
function search(workspace: string): Found {
  const repositories: string[] = []
  const until = performance.now() + bounds.ms
  let level = [workspace]
  let looked = 0
  for (let depth = 0; depth <= bounds.depth && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      looked += 1
      if (looked > bounds.folders || performance.now() > until) {
        return { repositories, isWhole: false }
      }
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name)
        if (entry.name === '.git') {
          if (depth > 0) repositories.push(path)
        } else if (entry.isDirectory() && entry.name !== 'node_modules') next.push(path)
      }
      if (repositories.length > bounds.repositories) return { repositories, isWhole: false }
    }
    level = next
  }
  return { repositories, isWhole: true }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function isThere(git: string): boolean {
  return entriesOf(dirname(git)).some(({ name }) => name === '.git')
}
