import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const hasProc = process.platform === 'linux'

/** The place was moved or swapped for another between two looks. */
export class MovedAway extends Error {}

export interface Item {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
}

/**
 * An open folder. What lies in it is reached through the handle, not through its path: a path could
 * be swapped for a link to elsewhere between a check and its use.
 */
export class Folder {
  /** Where it lay when it was opened, with all links followed. */
  readonly path: string
  readonly #handle: FileHandle

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle
    this.path = path
  }

  /** Opens a folder by a path without links. */
  static async open(path: string): Promise<Folder> {
    return Folder.#checked(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path)
  }

  /** A folder in this one; a link of that name is refused, wherever it leads. */
  async folder(name: string, options: { readonly make: boolean }): Promise<Folder> {
    const path = this.inside(name)
    const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    if (options.make) await mkdir(path).catch(ignoreExisting)
    return Folder.#checked(await open(path, flags), join(this.path, name))
  }

  /** A file in this folder; never a link, and never a pipe that would keep us waiting. */
  async file(name: string, flags: number = O_RDONLY, mode?: number): Promise<FileHandle> {
    const handle = await open(this.inside(name), flags | O_NOFOLLOW | O_NONBLOCK, mode)
    await checkPath(handle, join(this.path, name))
    return handle
  }

  async items(): Promise<Item[]> {
    const found = await readdir(this.inside('.'), { withFileTypes: true })
    return found.map((item) => ({
      name: item.name,
      kind: item.isDirectory() ? 'folder' : item.isFile() ? 'file' : 'other',
    }))
  }

  /** A path for system calls that leads through the open folder. */
  inside(name: string): string {
    // Not `join`, which drops `.`: without it the last part would be a link of the system's own.
    return `${hasProc ? `/proc/self/fd/${this.#handle.fd}` : this.path}/${name}`
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  static async #checked(handle: FileHandle, path: string): Promise<Folder> {
    await checkPath(handle, path)
    return new Folder(handle, path)
  }
}

/** Where the handle really leads, asked after opening. On a mismatch the handle is closed. */
async function checkPath(handle: FileHandle, path: string): Promise<void> {
  try {
    const real = hasProc ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path)
    if (real !== path) throw new MovedAway(`${path} is now ${real}`)
  } catch (fault) {
    await handle.close()
    throw fault
  }
}

function ignoreExisting(fault: NodeJS.ErrnoException): void {
  if (fault.code !== 'EEXIST') throw fault
}
