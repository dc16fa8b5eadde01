import type { Stats } from 'node:fs'

/** In a project: there the key of the hooks stands when a client was set up for it alone. */
export const projectKeyFiles: readonly string[] = ['.claude/settings.local.json']

/**
 * What our own file tools hold to when they open a file, whatever the words of the call said: a
 * search names no file at all, and a link may have been put there since the call was judged.
 */
export interface PathShield {
  /** Our data and keys: neither shown nor changed. The path is real, the file as it was opened. */
  hides(path: string, file?: Stats): boolean
  /** What sets a guard up, too: not changed. */
  fixes(path: string): boolean
}
