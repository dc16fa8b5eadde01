import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * What lies at paths, links not followed, each looked at once: judging one call asks for the same
 * folders over and over. It lives as long as that judgement, so that nothing in it grows old.
 */
export class Looks {
  readonly #seen = new Map<string, Stats | undefined>()
  readonly #real = new Map<string, string>()

  at(path: string): Stats | undefined {
    if (this.#seen.has(path)) return this.#seen.get(path)
    const found = lookAt(path)
    this.#seen.set(path, found)
    return found
  }

  /**
   * Follows links as far as the path exists; a new file is judged by its real folder. A link that
   * leads to nothing yet is followed as well: writing through it would create what it names.
   */
  real(path: string, links = 0): string {
    const rest: string[] = []
    for (let at = path; ; at = dirname(at)) {
      const found = this.at(at)
      if (found === undefined) {
        if (dirname(at) === at) return path
        rest.unshift(basename(at))
        continue
      }
      const real = this.#existing(at, found, links)
      return rest.length === 0 ? real : join(real, ...rest)
    }
  }

  /**
   * An absolute path as the kernel walks it, and each folder that it climbs out of: `..` leads
   * above what the links before it lead to, not above how they are called.
   */
  walked(path: string): string[] {
    const climbed: string[] = []
    let at = '/'
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue
      if (part === '..') climbed.push(at)
      at = part === '..' ? dirname(this.real(at)) : join(at, part)
    }
    return [at, ...climbed]
  }

  #existing(path: string, found: Stats, links: number): string {
    const known = this.#real.get(path)
    if (known !== undefined) return known
    const real = found.isSymbolicLink() ? this.#throughLink(path, links) : realpathSync.native(path)
    this.#real.set(path, real)
    return real
  }

  #throughLink(link: string, links: number): string {
    try {
      return realpathSync.native(link)
    } catch {
      if (links >= maxLinks) return link
      return this.real(resolve(dirname(link), readlinkSync(link)), links + 1)
    }
  }
}

const maxLinks = 40

/** Looks without throwing: most new paths do not exist, and an exception costs more than a look. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Whether something lies at a path, links not followed. Where we may not look, something may: the
 * agent can be another user.
 */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** One path alone, with its links followed. */
export function realOf(path: string): string {
  return new Looks().real(path)
}
