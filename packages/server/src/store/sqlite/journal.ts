import {
  closeSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import { StoreFault } from '../store.ts'
import type { Write } from './writes.ts'

/** A write that can be carried out once more without harm: it finds its run moved on, and stops. */
export type JournaledWrite = Extract<Write, { readonly type: 'create' | 'append' }>

const firstLine = 'statewright journal 1\n'
const anyVersion = /^statewright journal \d+\n/

/**
 * Writes that were acknowledged and that the database does not hold yet, one a line. A line that
 * was handed to the system outlives the process, so that it is all a commit has to wait for. What
 * the process was writing when it was killed is a last line cut short, which nobody was told of.
 */
export class Journal {
  readonly #path: string
  readonly #file: number
  #bytes: number
  #isOpen = true

  constructor(path: string) {
    this.#path = path
    this.#file = guarded(path, () => openSync(path, 'a+', 0o600))
    const { size, mode } = guarded(path, () => fstatSync(this.#file))
    this.#bytes = size
    if ((mode & 0o077) !== 0) guarded(path, () => fchmodSync(this.#file, 0o600))
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
    const line = `${this.isEmpty ? firstLine : ''}${checkOf(text)} ${text}\n`
    const size = Buffer.byteLength(line)
    try {
      if (writeSync(this.#file, line) !== size) throw new Error('it was cut short')
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes)
      throw fileFault(error, this.#path)
    }
    this.#bytes += size
  }

  /** In the order in which they were acknowledged. */
  writes(): readonly JournaledWrite[] {
    if (this.isEmpty) return []
    // After a power failure, a file may have grown by blocks that never reached the disk.
    const text = guarded(this.#path, () => readFileSync(this.#path, 'utf8')).replace(/\0+$/, '')
    if (!text.startsWith(firstLine)) {
      if (firstLine.startsWith(text)) return []
      throw anyVersion.test(text) ? tooNew(this.#path) : damaged(this.#path, 1)
    }
    const lines = text.slice(firstLine.length).split('\n')
    // Behind the last line end stands nothing, or a line that was cut short.
    const whole = lines.slice(0, -1)
    return whole.map((line, index) => {
      const [check, json] = splitOnce(line)
      if (checkOf(json) !== check) throw damaged(this.#path, index + 2)
      return JSON.parse(json) as JournaledWrite // Written by `add`, as its check says.
    })
  }

  /** What it holds continues histories that the database does not have. */
  get mismatch(): StoreFault {
    const message = 'The journal does not fit the database beside it, which may be older.'
    return new StoreFault('corrupt', message, {
      where: this.#path,
      next:
        'Put both files back as they were together. To start without the last calls before the ' +
        'server was killed, which only the journal holds, move it out of the folder.',
    })
  }

  /** The database holds all of it now. */
  clear(): void {
    if (this.isEmpty) return
    guarded(this.#path, () => ftruncateSync(this.#file, 0))
    this.#bytes = 0
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }
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
  const next = 'Give the server write access, and check the disk.'
  const what = `The journal of the database cannot be written (${message}).`
  return new StoreFault('unavailable', what, { where, next, cause: error })
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
