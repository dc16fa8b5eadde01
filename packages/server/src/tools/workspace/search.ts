import { type CompiledGlob, ok, type Result } from '@statewright/core/internal'
import { textAt } from './files.ts'
import type { Folder } from './folder.ts'
import type { Matcher } from './matcher.ts'
import type { PathFault } from './path-fault.ts'
import { type WalkedItem, walk } from './walk.ts'
import { type Workspace, withSpot } from './workspace.ts'

export interface SearchWish {
  readonly path: string
  readonly glob?: CompiledGlob | undefined
  readonly matcher: Matcher
  /** Files whose own name counts as a match. */
  readonly names?: ((name: string) => boolean) | undefined
  readonly max: number
  readonly matchLength: number
  readonly signal: AbortSignal
}

export interface SearchFound {
  readonly lines: readonly string[]
  readonly isWhole: boolean
}

/** Searches a folder or a file of the workspace. Anyone who asked closes the matcher to end it. */
export function search(
  workspace: Workspace,
  wish: SearchWish,
): Promise<Result<SearchFound, PathFault>> {
  const lines: string[] = []
  return withSpot(workspace, wish.path, { make: false }, async ({ folder, name }) => {
    const inner = await folder.folder(name, { make: false }).catch(() => undefined)
    if (inner === undefined) {
      const isWhole = await addLines(workspace, wish, lines, folder, name, wish.path)
      return ok({ lines, isWhole })
    }
    try {
      const { isWhole } = await walk(workspace, inner, (item) =>
        visit(workspace, wish, lines, item),
      )
      return ok({ lines, isWhole })
    } finally {
      await inner.close()
    }
  })
}

async function visit(
  workspace: Workspace,
  wish: SearchWish,
  lines: string[],
  item: WalkedItem,
): Promise<boolean> {
  if (wish.signal.aborted) return false
  if (item.kind !== 'file') return true
  if (wish.glob !== undefined && !wish.glob(item.path)) return true
  if (wish.names?.(item.name) === true) lines.push(item.path)
  return addLines(workspace, wish, lines, item.folder, item.name, item.path)
}

/** Whether the search may go on. */
async function addLines(
  workspace: Workspace,
  wish: SearchWish,
  lines: string[],
  folder: Folder,
  name: string,
  path: string,
): Promise<boolean> {
  const text = await textAt(workspace, folder, name, path)
  // Files that are too large or hold no text are passed over, as every search does.
  if (!text.ok) return true
  const found = await wish.matcher.match(text.value, wish.max - lines.length)
  if (found === null) return false
  for (const { line, text: words } of found) {
    lines.push(`${path}:${line}:${words.slice(0, wish.matchLength)}`)
  }
  return lines.length < wish.max
}
