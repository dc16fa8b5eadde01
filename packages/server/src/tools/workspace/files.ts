import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '@statewright/core/internal'
import type { Folder } from './folder.ts'
import { faultOf, type PathFault, pathFault } from './path-fault.ts'
import { ownData, type Spot, type Workspace, withSpot } from './workspace.ts'

const { O_CREAT, O_EXCL, O_WRONLY } = constants
const newFileMode = 0o666

/** Largest file that is read or written as a whole. */
const maxFileBytes = 5 * 1024 * 1024

export function readText(workspace: Workspace, path: string): Promise<Result<string, PathFault>> {
  return withSpot(workspace, path, { make: false }, (spot) =>
    textAt(workspace, spot.folder, spot.name, path),
  )
}

/** The text of a file in an open folder; `path` is how the agent calls it. */
export async function textAt(
  { shield }: Workspace,
  folder: Folder,
  name: string,
  path: string,
): Promise<Result<string, PathFault>> {
  try {
    const handle = await folder.file(name)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) return err(pathFault('not_a_file', `${path} is not a file.`))
      if (shield.hides(join(folder.path, name), stat)) return err(ownData)
      if (stat.size > maxFileBytes) return err(tooLarge(path))
      const bytes = await handle.readFile()
      if (bytes.length > maxFileBytes) return err(tooLarge(path))
      if (bytes.includes(0)) return err(pathFault('not_text', `${path} is not a text file.`))
      return ok(bytes.toString('utf8'))
    } finally {
      await handle.close()
    }
  } catch (fault) {
    return err(faultOf(fault, path))
  }
}

/** What was there before a file was written. */
export type WriteOutcome = 'created' | 'replaced'

/**
 * Writes a whole file: beside it first, then in its place, so that nobody ever sees half of it. A
 * link that lies there by then is replaced and not followed.
 */
export function writeText(
  workspace: Workspace,
  path: string,
  text: string,
): Promise<Result<WriteOutcome, PathFault>> {
  return withSpot(workspace, path, { make: true, changes: true }, async (spot) => {
    if (spot.name === '.') return err(pathFault('not_a_file', `${path} is a folder.`))
    if (Buffer.byteLength(text) > maxFileBytes) return err(tooLarge(path))
    const mode = await modeOf(spot, path)
    if (!mode.ok) return mode
    const beside = spot.folder.inside(`.statewright-${randomUUID()}`)
    try {
      await writeBeside(spot.folder, beside, text, mode.value ?? newFileMode)
      await rename(beside, spot.folder.inside(spot.name))
    } catch (fault) {
      await unlink(beside).catch(() => {})
      throw fault
    }
    return ok(mode.value === undefined ? 'created' : 'replaced')
  })
}

export function deleteFile(workspace: Workspace, path: string): Promise<Result<null, PathFault>> {
  return withSpot(workspace, path, { make: false, changes: true }, async (spot) => {
    await unlink(spot.folder.inside(spot.name))
    return ok(null)
  })
}

function tooLarge(path: string): PathFault {
  return pathFault('too_large', `${path} is larger than ${maxFileBytes} bytes.`)
}

/** The rights of the file that is replaced; undefined where there is none. */
async function modeOf(spot: Spot, path: string): Promise<Result<number | undefined, PathFault>> {
  try {
    const handle = await spot.folder.file(spot.name)
    const stat = await handle.stat().finally(() => handle.close())
    if (!stat.isFile()) return err(pathFault('not_a_file', `${path} is not a file.`))
    return ok(stat.mode & 0o777)
  } catch (fault) {
    const reported = faultOf(fault, path)
    return reported.code === 'not_found' ? ok(undefined) : err(reported)
  }
}

async function writeBeside(
  folder: Folder,
  beside: string,
  text: string,
  mode: number,
): Promise<void> {
  const name = beside.slice(beside.lastIndexOf('/') + 1)
  const handle = await folder.file(name, O_WRONLY | O_CREAT | O_EXCL, mode)
  try {
    await handle.writeFile(text)
    if (mode !== newFileMode) await handle.chmod(mode)
  } finally {
    await handle.close()
  }
}
