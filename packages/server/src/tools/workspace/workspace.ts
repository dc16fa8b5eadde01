import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { err, ok, phrase, type Result, textOf } from '@statewright/core/internal'
import type { PathShield } from '../../base/key-files.ts'
import { realOf } from '../../base/looks.ts'
import { Folder } from './folder.ts'
import { faultOf, type PathFault, pathFault } from './path-fault.ts'

/** The folder that an agent works in. Its root is a real path: no part of it is a link. */
export interface Workspace {
  readonly root: string
  readonly shield: PathShield
}

export function openWorkspace(path: string, shield: PathShield): Result<Workspace, PathFault> {
  try {
    return ok({ root: realpathSync.native(path), shield })
  } catch (fault) {
    return err(faultOf(fault, path))
  }
}

/** A name in an open folder: where a path of an agent leads. */
export interface Spot {
  readonly folder: Folder
  /** The last part; `.` for the root itself. */
  readonly name: string
  /** Against the root, with all links followed. */
  readonly path: string
}

/**
 * Walks from the root to where a path leads and hands the open folder over. Links inside the
 * workspace are followed first, as text; the walk itself follows none, so that a link that is put
 * there meanwhile stops it.
 */
export async function withSpot<Value>(
  workspace: Workspace,
  path: string,
  options: { readonly make: boolean; readonly changes?: boolean },
  use: (spot: Spot) => Promise<Result<Value, PathFault>>,
): Promise<Result<Value, PathFault>> {
  const inside = pathInside(workspace, path)
  if (!inside.ok) return inside
  const fault = shieldFault(workspace, inside.value, options.changes === true)
  if (fault !== undefined) return err(fault)
  const segments = inside.value === '' ? ['.'] : inside.value.split(sep)
  const name = segments.pop() ?? '.'
  let folder: Folder | undefined
  try {
    folder = await Folder.open(workspace.root)
    for (const part of segments) {
      const next: Folder = await folder.folder(part, options)
      await folder.close()
      folder = next
    }
    return await use({ folder, name, path: inside.value })
  } catch (fault) {
    return err(faultOf(fault, path))
  } finally {
    await folder?.close()
  }
}

/** Where a path leads against the root; `..` and links may not lead out of it. */
export function pathInside(workspace: Workspace, path: string): Result<string, PathFault> {
  if (path.includes('\0')) return err(pathFault('unusable_path', 'The path has a NUL in it.'))
  const { root } = workspace
  const written = relative(root, resolve(root, path))
  if (leadsOut(written)) return err(outside(path))
  try {
    const real = relative(root, realOf(join(root, written)))
    return leadsOut(real) ? err(outside(path)) : ok(real)
  } catch (fault) {
    // It was changed while we looked.
    return err(faultOf(fault, path))
  }
}

export const ownData = pathFault('self_protection', textOf(phrase('own_data')))
const ownGuard = pathFault('self_protection', textOf(phrase('own_guard')))

/** Why a place may not be opened, by where it really lies against the root. */
export function shieldFault(
  { root, shield }: Workspace,
  path: string,
  changes: boolean,
): PathFault | undefined {
  const real = join(root, path)
  if (shield.hides(real)) return ownData
  return changes && shield.fixes(real) ? ownGuard : undefined
}

function leadsOut(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
}

function outside(path: string): PathFault {
  return pathFault('outside_workspace', `${path} is outside the workspace.`)
}
