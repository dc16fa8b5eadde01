import { phrase } from '../../base/text/phrase.ts'
import type { DoesName } from '../../base/text/program-texts.ts'
import type { Does, ProgramEntry } from '../programs/entry.ts'

type Rest = Omit<ProgramEntry, 'names' | 'does'>
type Sub = Omit<ProgramEntry, 'names'>

/** Short forms, so that a table of programs reads like a table. */
export function reads(names: string, rest: Rest = {}): ProgramEntry {
  return { names, does: 'read', ...rest }
}

export function writes(names: string, why: DoesName, rest: Rest = {}): ProgramEntry {
  return { names, does: 'write', why: phrase(why), ...rest }
}

export function changes(names: string, why: DoesName, rest: Rest = {}): ProgramEntry {
  return { names, does: 'change', why: phrase(why), ...rest }
}

export function passes(names: string, rest: Rest = {}): ProgramEntry {
  return { names, does: 'pass', ...rest }
}

/** A program that starts the one behind its options. */
export function wraps(names: string, rest: Rest = {}): ProgramEntry {
  return { names, does: 'run', style: 'posix', wraps: {}, ...rest }
}

/** The same where its options are not all known: what it starts counts, but proves nothing. */
export function mayWrap(names: string, rest: Rest = {}): ProgramEntry {
  return { names, does: 'opaque', style: 'posix', wraps: {}, ...rest }
}

/** Subcommands of one kind. */
export function all(names: string, does: Does, rest: Rest = {}): Record<string, Sub> {
  return { [names]: { does, ...rest } }
}
