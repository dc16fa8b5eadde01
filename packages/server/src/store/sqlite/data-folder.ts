import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '../store.ts'
import { sqliteFault } from './faults.ts'

export interface DataFolder {
  /** The database file, which exists and is readable by its owner alone. */
  readonly path: string
  /** Whether the file was there before. */
  readonly hadData: boolean
  release(): void
}

export function databasePath(folder: string): string {
  return join(folder, 'statewright.db')
}

/** Writes that were acknowledged and that the database does not hold yet. */
export function journalPath(folder: string): string {
  return join(folder, 'statewright.journal')
}

/**
 * Makes the folder and takes it for this process alone. Two servers on one folder would each
 * believe in their own memory of a run.
 */
export function takeDataFolder(folder: string): DataFolder {
  const path = databasePath(folder)
  const pidPath = join(folder, 'server.pid')
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const release = takeLock(folder, pidPath)
    try {
      const hadData = existsSync(path) && statSync(path).size > 0
      makePrivate(path)
      writeFileSync(pidPath, `${process.pid}\n`, { mode: 0o600 })
      return { path, hadData, release }
    } catch (error) {
      release()
      throw error
    }
  } catch (error) {
    throw folderFault(error, folder)
  }
}

/**
 * The lock is one of SQLite on a file of its own: the system lets go of it when the process dies,
 * however it dies, and a left-over file locks nobody out.
 */
function takeLock(folder: string, pidPath: string): () => void {
  const path = join(folder, 'server.lock')
  makePrivate(path)
  const lock = new DatabaseSync(path)
  try {
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    const fault = sqliteFault(error, path)
    // On a full disk, for one, it cannot be taken either, though nobody has it.
    if (!(fault instanceof StoreFault) || fault.reason !== 'in_use') throw fault
    throw new StoreFault('in_use', `Another server${holder(pidPath)} uses this data folder.`, {
      where: folder,
      next: 'Stop it, or choose another data folder.',
      cause: error,
    })
  }
  return () => {
    rmSync(pidPath, { force: true })
    if (lock.isOpen) lock.close()
  }
}

function holder(pidPath: string): string {
  try {
    return ` (process ${readFileSync(pidPath, 'utf8').trim()})`
  } catch {
    return ''
  }
}

/**
 * SQLite gives its side files the mode of the database, so this one decides for all. A file that
 * exists is not opened: closing it again would let go of a lock that this process holds on it.
 */
function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
}

function folderFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StoreFault('full', 'The data folder has no space left.', {
      where: folder,
      next: 'Free space on the disk.',
      cause: error,
    })
  }
  return new StoreFault('read_only', `The data folder cannot be written (${error.message}).`, {
    where: folder,
    next: 'Give the server write access, or choose another data folder.',
    cause: error,
  })
}
