import { join } from 'node:path'
import type { Folder } from './folder.ts'
import type { Workspace } from './workspace.ts'

/** Folders that hold what tools make, and far more files than anybody wants to read. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

const walkLimits = { items: 20_000, depth: 64 } as const

export interface WalkedItem {
  readonly folder: Folder
  readonly name: string
  /** Against the folder that the walk began at. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'other'
}

/**
 * Walks a folder in order of names. No link is followed, and nothing of what is hidden is come
 * across; anyone who visits may end it by `false`.
 */
export async function walk(
  { shield }: Workspace,
  start: Folder,
  visit: (item: WalkedItem) => Promise<boolean> | boolean,
): Promise<{ readonly isWhole: boolean }> {
  const isHidden = (path: string) => shield.hides(path)
  const state: WalkState = { left: walkLimits.items, isWhole: true, isOver: false, isHidden }
  await walkFolder(start, '', 0, state, visit)
  return { isWhole: state.isWhole }
}

interface WalkState {
  left: number
  isWhole: boolean
  isOver: boolean
  readonly isHidden: (path: string) => boolean
}

async function walkFolder(
  folder: Folder,
  prefix: string,
  depth: number,
  state: WalkState,
  visit: (item: WalkedItem) => Promise<boolean> | boolean,
): Promise<void> {
  const items = await folder.items().catch(() => [])
  for (const { name, kind } of items.sort(byName)) {
    if (state.isOver) return
    if (skipped.has(name)) continue
    if (state.left-- <= 0 || depth >= walkLimits.depth) {
      state.isWhole = false
      return
    }
    const path = prefix === '' ? name : `${prefix}/${name}`
    // Anyone who may not read a file by its name does not find its lines in a search either.
    if (state.isHidden(join(folder.path, name))) continue
    if (!(await visit({ folder, name, path, kind }))) {
      state.isOver = true
      state.isWhole = false
      return
    }
    if (kind !== 'folder') continue
    // A folder that is gone or became a link by now is passed over.
    const inner = await folder.folder(name, { make: false }).catch(() => undefined)
    if (inner === undefined) continue
    try {
      await walkFolder(inner, path, depth + 1, state, visit)
    } finally {
      await inner.close()
    }
  }
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0
}
