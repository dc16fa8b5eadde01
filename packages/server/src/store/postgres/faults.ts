import { StoreFault } from '../store.ts'

const unavailable = 'Check that Postgres runs and that the address is right.'

/** Whatever the driver threw, as a fault that says what to do. */
export function postgresFault(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error
  const code = codeOf(error)
  const fault = (reason: StoreFault['reason'], next: string) =>
    new StoreFault(reason, `Postgres: ${error.message}`, { where, next, cause: error })
  if (isConnectionLoss(error)) return fault('unavailable', unavailable)
  if (code === '53100') return fault('full', 'Free space on the disk of Postgres.')
  if (code === '25006' || code === '42501') {
    return fault('read_only', 'Give the database user write access, on the primary server.')
  }
  if (code === 'XX001' || code === 'XX002') return fault('corrupt', 'Restore it from a backup.')
  if (code.startsWith('28') || code === '3D000') {
    return fault('unavailable', 'Check user, password and database name.')
  }
  // Cancelled by a timeout, out of memory, too many connections: the same call may work later.
  if (/^(53|57|55|58)/.test(code)) return fault('unavailable', unavailable)
  return error
}

/** Whether the connection went away, so that nobody knows what became of the last statement. */
export function isConnectionLoss(error: unknown): boolean {
  // A StoreFault comes from connecting: then nothing was sent, and nothing is in doubt.
  if (!(error instanceof Error) || error instanceof StoreFault) return false
  const code = codeOf(error)
  if (/^(08|57P0)/.test(code)) return true
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOST|ENET|EAI_|ENOENT)/.test(code)) return true
  return lostWords.test(error.message)
}

// The driver has no codes for these.
const lostWords =
  /connection (terminated|ended)|not queryable|timeout (exceeded|expired)|read timeout/i

/** Two transactions that stood in each other's way: anyone who lost decides again. */
export function isLostRace(error: unknown): boolean {
  return error instanceof Error && /^(40001|40P01)$/.test(codeOf(error))
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
