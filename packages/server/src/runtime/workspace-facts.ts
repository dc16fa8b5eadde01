import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { WorkspaceFacts } from '@statewright/core'
import { sha256 } from './dispatch.ts'

const largestOldText = 5 * 1024 * 1024

/** What the reducer must be told of a workspace, looked up at the moment of the call (WF-9). */
export function workspaceFacts(root: string, cwd?: string): WorkspaceFacts {
  const real = realOf(root)
  return {
    root: real,
    realPath: (path) => realOf(isAbsolute(path) ? path : join(real, path)),
    oldText: (path) => readText(isAbsolute(path) ? path : join(real, path)),
    hashText: sha256,
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** Follows links as far as the path exists; a new file is judged by its real folder. */
export function realOf(path: string): string {
  const rest: string[] = []
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...rest)
    } catch {
      if (dirname(at) === at) return path
      rest.unshift(basename(at))
    }
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
