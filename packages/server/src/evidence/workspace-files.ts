import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const maxFiles = 50_000

/**
 * Every file of a workspace against its root, in order; null when there are too many. Packages
 * that a package manager fetched are left out: those of the root, and of folders with a manifest.
 */
export function workspaceFiles(root: string): readonly string[] | null {
  const found: string[] = []
  const waiting = ['']
  try {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const item of readdirSync(join(root, folder), { withFileTypes: true })) {
        const path = folder === '' ? item.name : `${folder}/${item.name}`
        if (item.isDirectory()) {
          if (!isSkipped(root, folder, item.name)) waiting.push(path)
        } else found.push(path)
        if (found.length > maxFiles) return null
      }
    }
  } catch {
    return null
  }
  return found.sort()
}

function isSkipped(root: string, folder: string, name: string): boolean {
  if (name === '.git') return true
  if (name !== 'node_modules') return false
  return folder === '' || existsSync(join(root, folder, 'package.json'))
}
