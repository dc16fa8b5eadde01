import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'

/** The text of a file; undefined when there is none. */
export function readSettings(path: string): Result<string | undefined, Problem> {
  if (!existsSync(path)) return ok(undefined)
  try {
    const bytes = readFileSync(path)
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (fault) {
    return err(fileProblem(path, 'read', fault))
  }
}

/**
 * Puts a new text in the place of an old one, in one step: the client may read the file at any
 * moment. A link stays a link, and the rights stay as they were; a new file is its owner's alone,
 * since it holds a key.
 */
export function writeSettings(path: string, text: string): Result<undefined, Problem> {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const target = existsSync(path) ? realpathSync(path) : path
    const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600
    const fresh = `${target}.${process.pid}.new`
    writeFileSync(fresh, text, { mode })
    chmodSync(fresh, mode)
    renameSync(fresh, target)
    return ok(undefined)
  } catch (fault) {
    return err(fileProblem(path, 'written', fault))
  }
}

export function removeSettings(path: string): Result<undefined, Problem> {
  try {
    rmSync(path, { force: true })
    return ok(undefined)
  } catch (fault) {
    return err(fileProblem(path, 'removed', fault))
  }
}

/** The topmost folder that writing a file will have to make. */
export function missingFolder(path: string): string | undefined {
  let missing: string | undefined
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing = folder
  return missing
}

/** Takes away folders that were made for a file; anything that lies in them keeps them. */
export function removeEmptyFolders(path: string, topmost: string): void {
  for (let folder = dirname(path); folder.startsWith(topmost); folder = dirname(folder)) {
    try {
      rmdirSync(folder)
    } catch {
      // Somebody has put something there since.
      return
    }
  }
}

function fileProblem(where: string, what: string, fault: unknown): Problem {
  const why = fault instanceof Error ? fault.message : String(fault)
  return { code: 'file_unreadable', message: `The file cannot be ${what} (${why}).`, where }
}
