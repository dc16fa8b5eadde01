import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import { StoreFault } from '../store.ts'
import { bootId } from './boot-id.ts'
import type { Write } from './writes.ts'

/** A write that can be carried out once more without harm: it finds its run moved on, and stops. */
export type BatchWrite = Extract<Write, { readonly type: 'create' | 'append' }>

export type JournaledWrite = BatchWrite & {
  /** The place of its last entry, which it gets again beside the database that it was made for. */
  readonly feedAt: string
}

const name = 'statewright journal 1 '
const firstLinePattern = /^statewright journal 1 ([\w-]+) (\w+)\n/
const anyVersion = /^statewright journal \d+ /

/**
 * Writes that were acknowledged and that the database does not hold yet, one a line. A line that
 * was handed to the system outlives the process, so that it is all a commit has to wait for. What
 * the process was writing when it was killed is a last line cut short, which nobody was told of.
 */
export class Journal {
  readonly #path: string
  readonly #file: number
  #bytes: number
  /** A write failed, and what it left behind the last line could not be taken away yet. */
  #isTorn = false
  #isOpen = true

  constructor(path: string) {
    this.#path = path
    this.#file = opened(path)
    this.#bytes = guarded(path, () => fstatSync(this.#file).size)
  }

  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  /** All of the line, or none of it. */
  add(write: JournaledWrite): void {
    const text = JSON.stringify(write)
    const line = `${this.isEmpty ? firstLine() : ''}${checkOf(text)} ${text}\n`
    const size = Buffer.byteLength(line)
    this.#mend()
    try {
      if (this.write(line) !== size) throw new Error('it was cut short')
    } catch (error) {
      this.#isTorn = true
      try {
        this.#mend()
      } catch {
        // Nothing is added before it succeeds: a line behind half a line could not be read.
      }
      throw fileFault(error, this.#path)
    }
    this.#bytes += size
  }

  #mend(): void {
    if (!this.#isTorn) return
    guarded(this.#path, () => this.cut(this.#bytes))
    this.#isTorn = false
  }

  /** How much of it was written; a full disk may take a part. */
  protected write(line: string): number {
    return writeSync(this.#file, line)
  }

  protected cut(size: number): void {
    ftruncateSync(this.#file, size)
  }

  /** In the order in which they were acknowledged. */
  writes(): readonly JournaledWrite[] {
    return this.#lines().map((write, index) => {
      if (write === undefined) throw damaged(this.#path, index + 2)
      return write
    })
  }

  /**
   * What can be read of it, and undefined for each line that cannot, if the machine was started
   * anew since: then the disk may hold of journal and database what it had of each, and a line
   * that does not fit is no damage. Undefined if the machine is still the same, or tells nothing.
   */
  writesOfEarlierBoot(): readonly (JournaledWrite | undefined)[] | undefined {
    const { boot } = headOf(this.#text()) ?? {}
    const isEarlier = boot !== undefined && boot !== '-' && bootId() !== '-' && boot !== bootId()
    return isEarlier ? this.#lines() : undefined
  }

  /** Keeps a copy beside it, and says where. */
  copyAside(): string {
    const path = `${this.#path}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    const bytes = guarded(this.#path, () => bytesOf(this.#file, this.#bytes))
    guarded(path, () => writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' }))
    return path
  }

  #lines(): readonly (JournaledWrite | undefined)[] {
    if (this.isEmpty) return []
    const text = this.#text()
    const head = headOf(text)
    if (head === undefined) {
      if (!text.includes('\n') && (name.startsWith(text) || text.startsWith(name))) return []
      const isOther = anyVersion.test(text) && !text.startsWith(name)
      throw isOther ? tooNew(this.#path) : damaged(this.#path, 1)
    }
    const lines = text.slice(head.length).split('\n').map(splitOnce)
    // Behind the last line end stands nothing, or a line that was cut short.
    const [check, rest] = lines.pop() ?? ['', '']
    const whole = lines.map(([check, json]) =>
      // Written by `add`, as its check says.
      checkOf(json) === check ? (JSON.parse(json) as JournaledWrite) : undefined,
    )
    // All of a line, and something else where it ends: that was not cut short.
    return checkOf(rest.slice(0, -1)) === check ? [...whole, undefined] : whole
  }

  #text(): string {
    return guarded(this.#path, () => textOf(bytesOf(this.#file, this.#bytes)))
  }

  /** What it holds continues histories that the database does not have. */
  get mismatch(): StoreFault {
    const message =
      'The journal does not fit the database beside it, which may be older, or may have lost its ' +
      'end in a power failure.'
    return new StoreFault('corrupt', message, {
      where: this.#path,
      next:
        'Put both files back as they were together. To start without the last calls before the ' +
        'server was killed, which only the journal holds, move it out of the folder.',
    })
  }

  /** The database holds all of it now. */
  clear(): void {
    if (this.isEmpty && !this.#isTorn) return
    guarded(this.#path, () => this.cut(0))
    this.#bytes = 0
    this.#isTorn = false
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDWR } = constants

/** A file that its owner alone may read, and no link to a place where others might read it. */
function opened(path: string): number {
  const file = guarded(path, () => openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600))
  try {
    const stat = guarded(path, () => fstatSync(file))
    if (!stat.isFile()) throw noFile(path)
    if ((stat.mode & 0o077) !== 0) guarded(path, () => fchmodSync(file, 0o600))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Read through the open file: it stays the one that was written, whatever has its name by now. */
function bytesOf(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let end = 0
  for (let read = -1; read !== 0 && end < size; end += read) {
    read = readSync(file, bytes, end, size - end, end)
  }
  return bytes.subarray(0, end)
}

function textOf(bytes: Buffer): string {
  // After a power failure, a file may have grown by blocks that never reached the disk.
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.toString('utf8', 0, end)
}

function firstLine(): string {
  return `${name}${bootId()} ${checkOf(bootId())}\n`
}

/** The first line, if it is all there and was not changed. */
function headOf(text: string): { boot: string; length: number } | undefined {
  const [line = '', boot = '', check] = firstLinePattern.exec(text) ?? []
  return check === checkOf(boot) ? { boot, length: line.length } : undefined
}

function checkOf(text: string): string {
  return crc32(text).toString(16)
}

function splitOnce(line: string): readonly [check: string, json: string] {
  const at = line.indexOf(' ')
  return [line.slice(0, at), line.slice(at + 1)]
}

function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw fileFault(error, path)
  }
}

function fileFault(error: unknown, where: string): StoreFault {
  const { message, code } = error as NodeJS.ErrnoException // Thrown by `node:fs`, or above.
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === undefined) {
    const next = 'Free space on the disk.'
    return new StoreFault('full', 'The disk is full.', { where, next, cause: error })
  }
  if (code === 'ELOOP') return noFile(where)
  const next = 'Give the server write access, and check the disk.'
  const what = `The journal of the database cannot be written (${message}).`
  return new StoreFault('unavailable', what, { where, next, cause: error })
}

function noFile(where: string): StoreFault {
  return new StoreFault('unavailable', 'The journal of the database is a link or no plain file.', {
    where,
    next: 'Put the file itself in its place, or move what is there out of the folder.',
  })
}

function damaged(where: string, line: number): StoreFault {
  return new StoreFault('corrupt', `The journal of the database is damaged (line ${line}).`, {
    where,
    next:
      'Keep the file. To start without the last calls before the server was killed, which only ' +
      'this file holds, move it out of the folder.',
  })
}

function tooNew(where: string): StoreFault {
  return new StoreFault('too_new', 'A newer version wrote the journal of the database.', {
    where,
    next: 'Start the version of statewright that wrote it, or a newer one.',
  })
}
