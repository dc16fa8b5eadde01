import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const maxFiles = 50_000
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Every file of a workspace against its root, in order; null when there are too many. */
export function workspaceFiles(root: string): readonly string[] | null {
  const found: string[] = []
  const waiting = ['']
  try {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const item of readdirSync(join(root, folder), { withFileTypes: true })) {
        const path = folder === '' ? item.name : `${folder}/${item.name}`
        if (item.isDirectory()) {
          if (!skipped.has(item.name)) waiting.push(path)
        } else found.push(path)
        if (found.length > maxFiles) return null
      }
    }
  } catch {
    return null
  }
  return found.sort()
}
