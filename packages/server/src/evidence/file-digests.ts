import { createHash, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DigestFacts, FileDigests, Machine, MachineEvidence } from '@statewright/core/internal'
import { readRegular } from '../base/read-regular.ts'
import { definingFiles } from './defining-files.ts'
import { fileStamp } from './file-stamps.ts'
import { workspaceFiles } from './workspace-files.ts'

const maxBytes = 512 * 1024 * 1024
const largestProgram = 4 * 1024 * 1024

/**
 * Digests of the files that each fact of a machine depends on. Content counts, not times: a script
 * can set a file's time back. Too many files, or one that cannot be read: unknown, which the
 * reducer takes for stale. The time of change that the kernel keeps is the stamp.
 */
export function digestFacts(machine: Machine, names: Iterable<string>, root: string): DigestFacts {
  const facts: Record<string, FileDigests> = {}
  let files: Files | undefined
  for (const name of names) {
    const evidence = machine.evidence.get(name)
    if (evidence === undefined) continue
    files ??= workspaceFiles(root)
    const sources = staleFiles(evidence, files)
    const defining = definingFiles(evidence, root, files ?? [])
    facts[name] = {
      stale: sources === null ? null : digest(root, sources),
      definedBy: definingDigest(root, files, defining),
      ...(files === null
        ? {}
        : { stamp: stampOf(root, [...(sources ?? []), ...(defining ?? [])]) }),
    }
  }
  return facts
}

function staleFiles({ staleAfter }: MachineEvidence, files: Files): Files {
  if (staleAfter.length === 0 || files === null) return null
  return files.filter((file) => staleAfter.some((matches) => matches(file)))
}

/**
 * Null where nothing defines the command. What could not be read is like nothing else: it differs
 * from what the run began with, and from itself the next time, so that a person is asked.
 */
function definingDigest(root: string, files: Files, named: Files): string | null {
  if (named === null) return null
  const found = files === null ? null : digest(root, named, largestProgram)
  return found ?? `unreadable ${randomUUID()}`
}

function stampOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  // Of a folder only that it is there counts.
  const plain = files.filter((file) => !file.endsWith('/'))
  for (const file of plain) hash.update(`${file}\n${fileStamp(resolve(root, file))}\n`)
  return hash.digest('hex')
}

type Files = readonly string[] | null

function digest(root: string, files: readonly string[], largest = maxBytes): string | null {
  const hash = createHash('sha256')
  let bytes = 0
  for (const file of files) {
    if (file.endsWith('/')) {
      hash.update(`${file}\n`)
      continue
    }
    try {
      const path = resolve(root, file)
      const { size, ctimeMs } = statSync(path)
      // An interpreter of many megabytes is not read for every call; nobody sets this time back.
      const isRead = size <= largest
      if (isRead) bytes += size
      if (bytes > maxBytes) return null
      const content = isRead ? readRegular(path, largest) : `${size} ${ctimeMs}`
      if (content === undefined) return null
      hash.update(`${file}\n`).update(createHash('sha256').update(content).digest())
    } catch {
      return null
    }
  }
  return hash.digest('hex')
}
