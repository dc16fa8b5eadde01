import { isAbsolute, join } from 'node:path'
import type { WorkspaceFacts } from '@statewright/core/internal'
import { isThere, Looks } from '../base/looks.ts'
import { readRegular } from '../base/read-regular.ts'
import { sha256 } from '../runtime/dispatch.ts'
import type { RuntimeSettings } from '../runtime/settings.ts'

const largestOldText = 5 * 1024 * 1024

/**
 * What the reducer must be told of a workspace, looked up at the moment of the call (WF-9). With it
 * goes what the configuration knows of programs, so that every judge reads a command alike (SH-5).
 */
export function workspaceFacts(
  { programs }: Pick<RuntimeSettings, 'programs'>,
  root: string,
  cwd?: string,
  looks = new Looks(),
): WorkspaceFacts {
  const real = looks.real(root)
  return {
    root: real,
    realPath: (path) => looks.real(isAbsolute(path) ? path : join(real, path)),
    isFolder: (path) => {
      const at = looks.real(isAbsolute(path) ? path : join(real, path))
      return looks.at(at)?.isDirectory() ?? isThere(at)
    },
    oldText: (path) => readText(isAbsolute(path) ? path : join(real, path)),
    hashText: sha256,
    shell: { programs },
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** Undefined where it cannot be read: then the stricter bound counts. */
function readText(path: string): string | undefined {
  return readRegular(path, largestOldText)?.toString('utf8')
}
