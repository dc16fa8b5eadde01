import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { seenElsewhere } from './other-mounts.ts'

/** What a command may see and change while it runs (SH-14). Paths are real and absolute. */
export interface Cage {
  /** The folder that the work is about; it is seen wherever it lies. */
  readonly workspace: string
  /** Folders and files that it may change; everything else of the root is read-only. */
  readonly writable: readonly string[]
  /** Read-only although they lie inside a writable folder. */
  readonly readOnly: readonly string[]
  /** Not to be seen at all: our data, keys of coding clients. */
  readonly masked: readonly string[]
  /** Not there yet, and not to come into being: a new settings file would switch hooks off. */
  readonly absent: readonly string[]
  /** Links on the way to those that are there already, with where they lead. */
  readonly links: ReadonlyMap<string, string>
  /** Fires when something that must not be is there: the command is to be ended at once. */
  readonly broken?: AbortSignal
  /** To be called once the command is over: puts aside what must not be, and says what it was. */
  readonly over?: () => Promise<readonly string[]>
  /** Without, sockets of the host's services are out of reach too, wherever their files lie. */
  readonly network: boolean
}

export interface CageWishes {
  /** The workspace, and whether the state lets files in it be changed. */
  readonly workspace: string
  readonly mayWrite: boolean
  readonly network: boolean
  /** Folders and files that are to be hidden, whether they exist or not. */
  readonly hide?: readonly string[]
  /** Paths that stay as they are; relative ones lie in the workspace. */
  readonly keep?: readonly string[]
}

/** Sorts what is wished for by what is really there at this moment. */
export function makeCage(wishes: CageWishes): Cage {
  const workspace = realPath(wishes.workspace) ?? wishes.workspace
  // Without a workspace of its own nothing says what may be changed; the whole root never may.
  const writable = wishes.mayWrite && workspace !== '/' ? [workspace] : []
  const isOpen = (path: string) => writable.some((folder) => isWithin(path, folder))
  const readOnly: string[] = []
  const absent: string[] = []
  for (const wish of wishes.keep ?? []) {
    const path = isAbsolute(wish) ? wish : join(workspace, wish)
    const real = realPath(path)
    if (real !== undefined && isOpen(real)) readOnly.push(real)
    if (real === undefined) absent.push(nearestReal(path))
    // By its own name as well: a link on the way may be replaced, not only followed.
    if (real !== path) absent.push(path)
  }
  const hidden = (wishes.hide ?? []).map(realPath).filter((path) => path !== undefined)
  const masked = [...hidden, ...seenElsewhere(hidden).filter((path) => realPath(path) === path)]
  return {
    workspace,
    writable,
    readOnly: unique(readOnly),
    masked: unique(masked),
    absent: unique(absent.filter(isOpen)),
    links: linksTo(workspace, absent.filter(isOpen)),
    network: wishes.network,
  }
}

/** Links in the folders between a workspace and some paths, with where they lead. */
function linksTo(workspace: string, paths: readonly string[]): ReadonlyMap<string, string> {
  const links = new Map<string, string>()
  for (const path of paths) {
    for (const at of [...foldersTo(workspace, path), path]) {
      if (isLink(at)) links.set(at, readlinkSync(at))
    }
  }
  return links
}

/** The folders between a workspace and a path, from the top; none where it lies elsewhere. */
export function foldersTo(workspace: string, path: string): string[] {
  const found: string[] = []
  if (!isWithin(path, workspace)) return found
  for (let at = dirname(path); at !== workspace && isWithin(at, workspace); at = dirname(at)) {
    found.unshift(at)
  }
  return found
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** The path with the links of its nearest existing folder followed. */
function nearestReal(path: string): string {
  for (let at = dirname(path); ; at = dirname(at)) {
    const real = realPath(at)
    if (real !== undefined) return join(real, path.slice(at.length))
    if (dirname(at) === at) return path
  }
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}
