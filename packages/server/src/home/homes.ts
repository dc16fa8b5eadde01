import { readFileSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'

const maxHomes = 20

/**
 * Home folders of the people of this machine. The server may have another home than the client
 * whose calls it judges: that of a service, or one that a variable names.
 */
export function peoplesHomes(file = '/etc/passwd'): readonly string[] {
  const homes = linesOf(file).flatMap((line) => {
    const [, , uid, , , home] = line.split(':')
    const isPerson = uid === '0' || Number(uid) >= 1000
    return isPerson && home !== undefined && isHome(home) ? [home] : []
  })
  return [...new Set(homes)].slice(0, maxHomes)
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    // Other systems keep their users elsewhere; the home of the server is known all the same.
    return []
  }
}

function isHome(path: string): boolean {
  if (!isAbsolute(path) || path === '/') return false
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
