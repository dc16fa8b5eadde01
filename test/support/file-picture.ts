import { hash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Everything of all files below a folder that a write could change, their times included. */
export function filePicture(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      const { mode, uid, size, mtimeMs, ctimeMs, nlink } = lstatSync(path)
      const text = lstatSync(path).isFile() ? hash('sha256', readFileSync(path)) : ''
      return [name, mode, uid, size, mtimeMs, ctimeMs, nlink, text].join(' ')
    })
}
