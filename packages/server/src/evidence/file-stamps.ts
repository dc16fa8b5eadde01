import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceFiles } from './workspace-files.ts'

/**
 * What tells that a file was changed: its number, size and time of change, which nobody sets back.
 * Null where the workspace has too many files to look at.
 */
export function fileStamps(
  root: string,
  matches: (file: string) => boolean,
): ReadonlyMap<string, string> | null {
  const files = workspaceFiles(root)
  if (files === null) return null
  return new Map(files.filter(matches).map((file) => [file, fileStamp(join(root, file))]))
}

export function fileStamp(path: string): string {
  try {
    const { ino, size, ctimeNs } = lstatSync(path, { bigint: true })
    return `${ino} ${size} ${ctimeNs}`
  } catch {
    return ''
  }
}
