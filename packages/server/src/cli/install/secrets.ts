import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { saySentence } from '../command.ts'

/** A file with a key in it that the next `git add` would take along is named to the person. */
export function sayUnignored(paths: readonly string[]): void {
  for (const path of paths) {
    if (!holdsKey(path) || !isInGit(path)) continue
    saySentence(`${path} holds a key, and git does not ignore it: add it to .gitignore.`)
  }
}

function holdsKey(path: string): boolean {
  try {
    return /sw_(agent|hook|tell)_/.test(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}

/** Whether git knows the folder and does not pass the file over. */
function isInGit(path: string): boolean {
  const git = spawnSync('git', ['-C', dirname(path), 'check-ignore', '-q', path])
  // 0: ignored; 1: not; 128 or nothing: no repository, or no git.
  return git.status === 1
}
