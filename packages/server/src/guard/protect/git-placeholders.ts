import { lstatSync, mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isThere } from '../../base/looks.ts'

/**
 * What stands for a setting of git that is not there. A cage can hold a path shut only where
 * something is, and git outside must not notice: the folder itself for `commondir`, a remark
 * for a configuration. By these words one that a killed server left is known again.
 */
const remark = '# Made by Statewright while a command runs in its sandbox.\n'
const texts: Readonly<Record<string, string>> = {
  commondir: './././.\n',
  config: remark,
  'config.worktree': remark,
}
const folders: ReadonlySet<string> = new Set(['hooks', 'info'])

/**
 * Makes those of some paths that git would take for its settings and that are not there, and gives
 * back what takes them away again. No command may run in the workspace meanwhile: it could swap a
 * folder for a link.
 */
export function makeGitPlaceholders(paths: readonly string[]): () => void {
  const inGit = [...new Set(paths)].filter((path) => isGitFolder(dirname(path)))
  const files = inGit.filter((path) => Object.hasOwn(texts, basename(path)))
  for (const file of files) attempt(() => writeFileSync(file, textOf(file), { flag: 'wx' }))
  const made = inGit.filter((path) => folders.has(basename(path)) && !isThere(path))
  for (const folder of made) attempt(() => mkdirSync(folder))
  return () => {
    for (const file of files) attempt(() => removeOwn(file))
    for (const folder of made) attempt(() => rmdirSync(folder))
  }
}

function textOf(file: string): string {
  return texts[basename(file)] ?? ''
}

/** Git or a person may have written another one there: that stays. */
function removeOwn(file: string): void {
  if (!lstatSync(file).isFile() || readFileSync(file, 'utf8') !== textOf(file)) return
  unlinkSync(file)
}

function isGitFolder(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  return basename(folder) === '.git' || isThere(join(folder, 'HEAD'))
}

/** Where the server may not write, or something came in between, the path is put aside later. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}
