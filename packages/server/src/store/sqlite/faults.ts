import { StoreFault } from '../store.ts'

/** Primary result codes of SQLite that mean trouble outside our code. */
const faults: ReadonlyMap<number, Fault> = new Map([
  [3, { reason: 'read_only', what: 'may not be written', next: 'Give the server write access.' }],
  [5, { reason: 'in_use', what: 'is locked', next: 'Stop the program that locks it.' }],
  [8, { reason: 'read_only', what: 'is read-only', next: 'Give the server write access.' }],
  [10, { reason: 'unavailable', what: 'cannot be read or written', next: 'Check the disk.' }],
  [
    11,
    {
      reason: 'corrupt',
      what: 'is damaged',
      next: 'Keep the file and restore a copy from a backup. Nothing was overwritten.',
    },
  ],
  [13, { reason: 'full', what: 'cannot grow: the disk is full', next: 'Free space on the disk.' }],
  [14, { reason: 'read_only', what: 'cannot be opened', next: 'Give the server write access.' }],
  [
    26,
    {
      reason: 'corrupt',
      what: 'is not a database',
      next: 'Choose another data folder, or restore the file. Nothing was overwritten.',
    },
  ],
])

interface Fault {
  readonly reason: StoreFault['reason']
  readonly what: string
  readonly next: string
}

/** A fault of the outside as a `StoreFault`; anything else is a bug of ours and stays as it is. */
export function sqliteFault(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
  // Extended codes keep the primary one in their lowest byte.
  const fault = code === undefined ? undefined : faults.get(code & 0xff)
  if (fault === undefined) return error
  const message = `The database ${fault.what} (${error.message}).`
  return new StoreFault(fault.reason, message, { where: path, next: fault.next, cause: error })
}

export function corruptFault(path: string, detail: string): StoreFault {
  return new StoreFault('corrupt', `The database is damaged (${detail}).`, {
    where: path,
    next: 'Keep the file and restore a copy from a backup. Nothing was overwritten.',
  })
}

/** A fault as it crosses from one thread to another, where classes are lost. */
export interface SentFault {
  readonly reason: StoreFault['reason'] | null
  readonly message: string
  readonly where: string
  readonly next: string
}

export function sendFault(error: unknown): SentFault {
  if (error instanceof StoreFault) {
    const { reason, message, where, next } = error
    return { reason, message, where, next }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { reason: null, message, where: '', next: '' }
}

export function receiveFault({ reason, message, where, next }: SentFault): Error {
  if (reason === null) return new Error(message)
  return new StoreFault(reason, message, { where, next })
}
