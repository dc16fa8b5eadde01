import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { own, type ShellFindings } from '@statewright/core/internal'
import { realOf } from '../../base/looks.ts'
import { readRegular } from '../../base/read-regular.ts'
import { scriptFiles, scriptWords } from '../../evidence/script-words.ts'
import { meantFiles } from './bound-files.ts'

const maxFiles = 1000
const maxBytes = 64 * 1024 * 1024
const maxFolders = 8

/**
 * What an approval of a shell command is bound to besides its words: where it would run, and the
 * content of every file that it names, wherever that lies, in folders and by patterns as well, or
 * that a script named by it names in turn. Without it an agent could have `./x.sh` approved, write
 * another x.sh, and run that (PO-7b).
 */
export function scriptDigest(shell: ShellFindings, cwd: string): string {
  const folder = realOf(cwd)
  const hash = createHash('sha256').update(`${folder}\n`)
  let left = maxBytes
  let files = 0
  const named = [...namedPaths(shell, folder)]
  const meant = meantFiles(shell.command, named.filter(isFolder).map(realOf), folder)
  // Where it means more files than can be looked at, its words alone are bound.
  if (meant === null) hash.update('many files\n')
  for (const path of [...new Set([...named, ...(meant ?? [])])].sort()) {
    const file = realOf(path)
    files += 1
    const content = contentOf(file, files > maxFiles ? 0 : left)
    if (content === undefined) continue
    left -= content.length
    hash.update(`${file}\n`).update(createHash('sha256').update(content).digest())
  }
  return hash.digest('hex')
}

function namedPaths({ commands, reads }: ShellFindings, base: string): Set<string> {
  const named = reads.flatMap(({ path }) => path ?? [])
  for (const { words } of commands) {
    const known = words.filter((word) => word !== null)
    named.push(...known.flatMap(pathsIn))
    named.push(...(own(scriptFiles, basename(known[0] ?? '')) ?? []))
    named.push(...scriptWords(known, base).flatMap(pathsIn))
  }
  const usable = named.filter((path) => path !== '' && path.length < 4096 && !path.includes('\0'))
  const paths = usable.map((path) => (isAbsolute(path) ? path : join(base, path)))
  // After `cd sub`, and with `make -C sub`, other words are meant from there.
  const folders = paths.filter(isFolder).slice(0, maxFolders)
  const relative = usable.filter((path) => !isAbsolute(path))
  return new Set([
    ...paths,
    ...folders.flatMap((folder) => relative.map((path) => join(folder, path))),
  ])
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** A path may stand behind an equals sign: `--config=deploy.json`. */
function pathsIn(word: string): string[] {
  const at = word.indexOf('=')
  return at < 0 ? [word] : [word, word.slice(at + 1)]
}

function contentOf(file: string, max: number): Buffer | undefined {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return undefined
    // What is too large or too much to read counts by size and time: better than not at all.
    if (stat.size > max) return Buffer.from(`${stat.size} ${stat.mtimeMs}`)
    return readRegular(file, max)
  } catch {
    return undefined
  }
}
