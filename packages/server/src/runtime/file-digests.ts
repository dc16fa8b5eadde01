import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledGlob, DigestFacts, FileDigests, Machine } from '@statewright/core'

const mostFiles = 50_000
const mostBytes = 512 * 1024 * 1024
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/**
 * Digests of the files that each fact of a machine depends on. Content counts, not times: a script
 * can set a file's time back. Too many files, or one that cannot be read: unknown, which the
 * reducer takes for stale.
 */
export function digestFacts(machine: Machine, names: Iterable<string>, root: string): DigestFacts {
  const facts: Record<string, FileDigests> = {}
  let files: readonly string[] | null | undefined
  for (const name of names) {
    const evidence = machine.evidence.get(name)
    if (evidence === undefined) continue
    files ??= listFiles(root)
    facts[name] = {
      stale: digest(root, files, evidence.staleAfter),
      definedBy: digest(root, files, evidence.definedBy),
    }
  }
  return facts
}

function digest(
  root: string,
  files: readonly string[] | null,
  globs: readonly CompiledGlob[],
): string | null {
  if (globs.length === 0 || files === null) return null
  const hash = createHash('sha256')
  let bytes = 0
  for (const file of files) {
    if (!globs.some((matches) => matches(file))) continue
    try {
      const path = join(root, file)
      bytes += statSync(path).size
      if (bytes > mostBytes) return null
      hash.update(`${file}\n`).update(createHash('sha256').update(readFileSync(path)).digest())
    } catch {
      return null
    }
  }
  return hash.digest('hex')
}

function listFiles(root: string): readonly string[] | null {
  const found: string[] = []
  const waiting = ['']
  try {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const item of readdirSync(join(root, folder), { withFileTypes: true })) {
        const path = folder === '' ? item.name : `${folder}/${item.name}`
        if (item.isDirectory()) {
          if (!skipped.has(item.name)) waiting.push(path)
        } else found.push(path)
        if (found.length > mostFiles) return null
      }
    }
  } catch {
    return null
  }
  return found.sort()
}
