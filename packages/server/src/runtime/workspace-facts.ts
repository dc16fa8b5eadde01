import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { WorkspaceFacts } from '@statewright/core'
import { sha256 } from './dispatch.ts'
import type { RuntimeSettings } from './settings.ts'

const largestOldText = 5 * 1024 * 1024

/**
 * What the reducer must be told of a workspace, looked up at the moment of the call (WF-9). With it
 * goes what the configuration knows of programs, so that every judge reads a command alike (SH-5).
 */
export function workspaceFacts(
  { programs }: Pick<RuntimeSettings, 'programs'>,
  root: string,
  cwd?: string,
): WorkspaceFacts {
  const real = realOf(root)
  return {
    root: real,
    realPath: (path) => realOf(isAbsolute(path) ? path : join(real, path)),
    oldText: (path) => readText(isAbsolute(path) ? path : join(real, path)),
    hashText: sha256,
    shell: { programs },
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/**
 * Follows links as far as the path exists; a new file is judged by its real folder. A link that
 * leads to nothing yet is followed as well: writing through it would create what it names.
 */
export function realOf(path: string, links = 0): string {
  const rest: string[] = []
  for (let at = path; ; at = dirname(at)) {
    const found = lookAt(at)
    if (found === 'nothing') {
      if (dirname(at) === at) return path
      rest.unshift(basename(at))
      continue
    }
    const real = found === 'link' ? throughLink(at, links) : realpathSync.native(at)
    return rest.length === 0 ? real : join(real, ...rest)
  }
}

/** Looks without throwing: most new paths do not exist, and an exception costs more than a look. */
function lookAt(path: string): 'nothing' | 'link' | 'thing' {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return 'nothing'
    return stat.isSymbolicLink() ? 'link' : 'thing'
  } catch {
    return 'nothing'
  }
}

const mostLinks = 40

function throughLink(link: string, links: number): string {
  try {
    return realpathSync.native(link)
  } catch {
    if (links >= mostLinks) return link
    return realOf(resolve(dirname(link), readlinkSync(link)), links + 1)
  }
}

/** Undefined where it cannot be read: then the stricter bound counts. */
function readText(path: string): string | undefined {
  try {
    if (statSync(path).size > largestOldText) return undefined
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
