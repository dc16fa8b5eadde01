import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { err, ok, type Result } from '@statewright/core/internal'
import { readRegularText } from '../base/read-regular.ts'
import { toolLimits } from './limits.ts'

export interface GitFault {
  readonly code: 'no_repository' | 'foreign_repository' | 'git_filters' | 'git_unreadable'
  readonly message: string
}

const maxItems = 20_000

/**
 * The folder in which git keeps the repository. It lies in the workspace, or belongs to a worktree
 * that the repository itself knows of; a `.git` that only claims to belong to another repository
 * would let a workspace write into it.
 */
export function gitFolder(root: string): Result<string, GitFault> {
  const dotGit = join(root, '.git')
  try {
    const stat = lstatSync(dotGit, { throwIfNoEntry: false })
    if (stat === undefined) {
      return err({ code: 'no_repository', message: 'The workspace is not a git repository.' })
    }
    if (stat.isDirectory() && staysInside(dotGit)) return ok(dotGit)
    const folder = stat.isFile() ? worktreeFolder(dotGit, root) : undefined
    if (folder !== undefined) return ok(folder)
  } catch {
    // Unreadable is as good as foreign.
  }
  return err({
    code: 'foreign_repository',
    message: 'The .git of the workspace points to another folder.',
  })
}

/** The folder of a linked worktree, where the repository points back at this workspace. */
function worktreeFolder(dotGit: string, root: string): string | undefined {
  if (lstatSync(dotGit).size > toolLimits.pathLength) return undefined
  const named = /^gitdir: (.+)$/m.exec(readRegularText(dotGit, toolLimits.pathLength))?.[1]
  if (named === undefined) return undefined
  const folder = realpathSync(resolve(root, named))
  const back = join(folder, 'gitdir')
  const isKnown = existsSync(back) && readRegularText(back, toolLimits.pathLength).trim() === dotGit
  return isKnown && dirname(folder).endsWith(join('.git', 'worktrees')) ? folder : undefined
}

/** Git follows links and `commondir` when it writes its index, refs and logs: none may lead out. */
function staysInside(dotGit: string): boolean {
  if (existsSync(join(dotGit, 'commondir'))) return false
  const waiting = [dotGit]
  let left = maxItems
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      if (item.isSymbolicLink() || left-- <= 0) return false
      // Objects are written under names that git makes from their contents; they are many.
      const isMany = folder === join(dotGit, 'objects')
      if (item.isDirectory() && !isMany) waiting.push(join(folder, item.name))
    }
  }
  return true
}
