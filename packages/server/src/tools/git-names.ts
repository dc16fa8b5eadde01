import { join, relative } from 'node:path'
import { err, ok, type Result } from '@statewright/core/internal'
import { realOf } from '../base/looks.ts'
import { gitEnd } from './git-run.ts'
import { toolLimits } from './limits.ts'
import { tellEnd } from './shell-tools.ts'
import { errorResult, faultResult, type ToolDone, type ToolHost } from './tool.ts'
import { shieldFault } from './workspace/workspace.ts'

/** A command of git that lists files instead of touching them. */
interface NamesWish {
  readonly args: readonly string[]
  readonly input?: string
}

/** Files that git would show or change, against the root. */
export async function namesBy(
  host: ToolHost,
  wish: NamesWish,
): Promise<Result<readonly string[], ToolDone>> {
  const end = await gitEnd(host, { ...wish, needsFilters: false, outputBytes: namesBytes })
  if (!end.ok) return err(errorResult(end.error.code, end.error.message))
  if (end.value.type !== 'exited' || end.value.code !== 0) return err(tellEnd(end.value))
  const { text, bytes } = end.value.output
  if (bytes > namesBytes) return err(tooMany)
  // A NUL comes as this sign (see `BoundedOutput`); `--numstat` writes two numbers before a name.
  const names = text.split('\ufffd').map((name) => name.replace(/^(?:\d+|-)\t(?:\d+|-)\t/, ''))
  return ok([...new Set(names.filter((name) => name !== ''))])
}

const namesBytes = 4 * 1024 * 1024
const tooMany = errorResult(
  'too_many_files',
  'Too many files at once. Name the paths that you need.',
)

/** Why git may not change one of some files, whatever brought it to them. */
export function whyUnchangeable(host: ToolHost, names: readonly string[]): ToolDone | undefined {
  for (const name of names) {
    const fault = faultAt(host, name, true)
    if (fault !== undefined) return faultResult({ ...fault, message: `${name}: ${fault.message}` })
  }
  return undefined
}

/**
 * The paths of a call as they are, where nothing hidden lies below them; else every other file by
 * its name.
 */
export function withoutHidden(
  host: ToolHost,
  names: readonly string[],
  paths: readonly string[],
): Result<{ readonly paths: readonly string[]; readonly leftOut: number }, ToolDone> {
  const shown = names.filter((name) => faultAt(host, name, false) === undefined)
  const leftOut = names.length - shown.length
  if (leftOut === 0) return ok({ paths, leftOut })
  return shown.length > toolLimits.gitPaths ? err(tooMany) : ok({ paths: shown, leftOut })
}

/** By its name and by where links lead: git follows neither, but what comes after it may. */
function faultAt({ workspace }: ToolHost, name: string, changes: boolean) {
  const real = relative(workspace.root, realOf(join(workspace.root, name)))
  return shieldFault(workspace, name, changes) ?? shieldFault(workspace, real, changes)
}
