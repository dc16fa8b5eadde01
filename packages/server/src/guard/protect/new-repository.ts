import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { isThere } from '../../base/looks.ts'
import { isLink } from '../../sandbox/cage.ts'
import { gitFoldersIn, gitTarget, linksIn, readText } from './git-files.ts'

/**
 * What of a repository that a command has just made is not as `git clone` and `git init` leave it:
 * hooks, settings that name a program, or words that lead elsewhere. A plain one has none of it.
 */
export function unsafeGitFiles(git: string, known: readonly string[]): string[] {
  if (lstatSync(git, { throwIfNoEntry: false })?.isDirectory() === true) {
    return [...gitFoldersIn(git).flatMap((folder) => unsafeIn(folder)), ...linkedFolders(git)]
  }
  const target = gitTarget(git)
  return target !== undefined && isKnown(target, known) ? [] : [git]
}

/**
 * Whether a folder of git is one that we know, or a worktree or a submodule in it. What lies
 * elsewhere nobody would hold: the next command could make there what this one leads to.
 */
function isKnown(target: string, known: readonly string[]): boolean {
  return known.some((git) => {
    const inside = ['worktrees', 'modules'].map((name) => join(git, name) + sep)
    return target === git || inside.some((folder) => target.startsWith(folder))
  })
}

/**
 * The same of a part of a repository that we know: a submodule or a worktree that has come into
 * being in its folder of git.
 */
export function unsafePart(part: string, git: string): string[] {
  if (part.startsWith(join(git, 'worktrees') + sep)) return isWorktreeOf(part, [git]) ? [] : [part]
  return unsafeIn(part)
}

/** Links where git keeps submodules and worktrees: it makes none, and would follow them. */
export function linkedFolders(git: string): string[] {
  return ['modules', 'worktrees'].flatMap((name) => {
    const folder = join(git, name)
    if (isLink(folder)) return [folder]
    return linksIn(folder)
  })
}

/** Lists of steps that git carries on with, where one of them is a command. */
export function plansToRun(git: string): string[] {
  const plans = ['rebase-merge/git-rebase-todo', 'rebase-apply/git-rebase-todo', 'sequencer/todo']
  return plans
    .map((name) => join(git, name))
    .filter((path) => /^\s*(?:x|exec)\s/m.test(readText(path)))
}

function unsafeIn(folder: string): string[] {
  const found = ['config.worktree', 'commondir', 'gitdir', 'info/attributes']
    .map((name) => join(folder, name))
    .filter(isThere)
  // Git makes none of them a link; what it leads to may come into being later.
  const links = ['hooks', 'info', 'config'].map((name) => join(folder, name)).filter(isLink)
  found.push(...links)
  const hooks = join(folder, 'hooks')
  if (!isLink(hooks) && hasHooks(hooks)) found.push(hooks)
  const config = join(folder, 'config')
  if (isLink(config)) return found
  // Looked at first: git may put it there between the two looks, while the command runs.
  const size = sizeOf(config)
  const text = readText(config)
  // One that is too large to be read is none that git has made.
  if (!isPlainConfig(text) || (text === '' && size > 0)) found.push(config)
  return found
}

function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** As `git worktree add` makes it, in a repository whose own settings are held. */
function isWorktreeOf(target: string, known: readonly string[]): boolean {
  const isInside = known.includes(dirname(dirname(target)))
  const leadsBack = readText(join(target, 'commondir')).trim() === '../..'
  return isInside && leadsBack && !isThere(join(target, 'config.worktree'))
}

function hasHooks(folder: string): boolean {
  const wasThere = isThere(folder)
  try {
    return readdirSync(folder).some((name) => !name.endsWith('.sample'))
  } catch {
    // A link or a file is no folder of hooks that git has made.
    return wasThere
  }
}

/** Settings that say how a repository is stored and where it came from; they run nothing. */
const plainSettings = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase)$/,
  /^core\.(?:precomposeunicode|symlinks|autocrlf|eol|longpaths|protectntfs|protecthfs)$/,
  /^extensions\.(?:objectformat|refstorage|partialclone)$/,
  /^remote\..*\.(?:url|fetch|pushurl|tagopt|promisor|partialclonefilter)$/,
  /^branch\..*\.(?:remote|merge|rebase)$/,
  /^submodule\..*\.(?:active|url|branch|update)$/,
  /^user\.(?:name|email)$/,
]

function isPlainConfig(text: string): boolean {
  let section = ''
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const head = /^\[([\w-]+)(?: "([^"\\]*)")?\]$/.exec(line)
    if (head !== null) {
      const [, name = '', more] = head
      section = more === undefined ? name : `${name}.${more}`
      continue
    }
    // A value that goes on in the next line, or is a command, is nothing that git writes here.
    const [, key, value = ''] = /^([\w-]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (key === undefined || value.endsWith('\\') || /^(?:!|ext::)/.test(value)) return false
    const setting = `${section}.${key}`.toLowerCase()
    // So a submodule says where its files lie.
    if (setting === 'core.worktree' && /^(?:\.\.\/)+[^/].*$/.test(value)) continue
    if (!plainSettings.some((plain) => plain.test(setting))) return false
  }
  return true
}
