import { type Dirent, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

const maxFolders = 2000

export interface FolderWatchOptions {
  readonly folders: readonly string[]
  /** Whether a new folder is to be watched as well. */
  readonly follows: (folder: string) => boolean
  /** Told of each path that comes into being or changes. */
  readonly onPath: (path: string) => void
}

/**
 * Hears from the kernel what comes into being in some folders, and in new ones below them. It may
 * miss something: beyond its bounds, or when more happens than the kernel keeps.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  #isClosed = false

  constructor(options: FolderWatchOptions) {
    this.#options = options
    for (const folder of options.folders) this.#add(folder)
  }

  close(): void {
    this.#isClosed = true
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #add(folder: string): boolean {
    if (this.#isClosed || this.#watchers.size >= maxFolders) return false
    try {
      const onEvent = (_: string, name: string | null) => this.#heard(folder, name)
      const watcher = watch(folder, { persistent: false }, onEvent)
      watcher.on('error', () => this.#drop(folder))
      this.#watchers.get(folder)?.close()
      this.#watchers.set(folder, watcher)
      return true
    } catch {
      // It is gone again, or the kernel has no room for more.
      return false
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #heard(folder: string, name: string | null): void {
    if (this.#isClosed || name === null) return
    const path = join(folder, name)
    this.#options.onPath(path)
    if (isFolder(path)) this.#follow(path)
    else this.#drop(path)
  }

  /** What was made in a new folder before we watched it is looked up. */
  #follow(folder: string): void {
    const waiting = [folder]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#isClosed || !this.#options.follows(at) || !this.#add(at)) continue
      for (const entry of entriesOf(at)) {
        const path = join(at, entry.name)
        this.#options.onPath(path)
        if (entry.isDirectory() && !this.#watchers.has(path)) waiting.push(path)
      }
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
