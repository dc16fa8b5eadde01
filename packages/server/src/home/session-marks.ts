import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Environment, stateHome } from './folders.ts'

const oldMs = 90 * 24 * 60 * 60 * 1000

/** Where `bin/project-key.cjs` keeps in which project a client session was first seen. */
function markFolder(environment: Environment): string {
  return join(stateHome(environment), 'installs', 'sessions')
}

/** Every call of a session touches its mark: one that is old belongs to nobody any more. */
export function forgetOldMarks(environment: Environment, now = Date.now()): void {
  const folder = markFolder(environment)
  for (const name of namesIn(folder)) {
    const mark = join(folder, name)
    const age = now - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? now)
    if (age > oldMs) rmSync(mark, { force: true })
  }
}

/** The session of a mark has ended for certain. */
export function forgetMark(environment: Environment, client: string, session: string): void {
  rmSync(join(markFolder(environment), `${client}-${session}`), { force: true })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No client with settings of its user was ever installed.
    return []
  }
}
