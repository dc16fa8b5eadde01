import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/** The project that a folder belongs to: its git root, else the folder itself. */
export function projectOf(cwd: string | undefined): string | undefined {
  if (cwd === undefined || !isAbsolute(cwd) || cwd.includes('\0')) return undefined
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return cwd
  }
}
