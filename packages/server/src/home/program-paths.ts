import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realOf } from './folders.ts'

/** More packages than we could ever have. */
const maxPackages = 1000

let known: readonly string[] | undefined

/**
 * What runs right now in our name: our package with all that it loads, and Node itself. Anyone who
 * changes one of them switches us off at the next start. Looked up once: a program does not move.
 */
export function programPaths(): readonly string[] {
  known ??= [...new Set([...ownFolders(), process.execPath, realOf(process.execPath)])]
  return known
}

function ownFolders(): string[] {
  const own = ownPackage()
  if (basename(dirname(own)) === 'node_modules') return packageFolders(own)
  // In a clone the page is built when the server starts, by what lies beside us.
  const packages = dirname(own)
  const builders = [join(packages, 'dashboard'), join(dirname(packages), 'scripts')]
  return [...builders.filter((path) => existsSync(path)), ...packageFolders(own)]
}

/** The folder with our own `package.json`, be it a clone or an installed package. */
function ownPackage(): string {
  return realOf(fileURLToPath(new URL('../..', import.meta.url)))
}

/** A package and those that it needs, as Node finds them: a link may be replaced as well. */
function packageFolders(first: string): string[] {
  const found = new Set([first])
  const named = new Set<string>()
  for (const folder of found) {
    if (found.size > maxPackages) break
    for (const name of dependenciesOf(folder)) {
      const needed = findPackage(name, folder)
      if (needed === undefined) continue
      named.add(needed)
      found.add(realOf(needed))
    }
  }
  return [...found, ...named]
}

function dependenciesOf(folder: string): string[] {
  try {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    return Object.keys({ ...dependencies, ...optionalDependencies })
  } catch {
    // A package without a description of its own needs no other.
    return []
  }
}

function findPackage(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(at) === at) return undefined
  }
}
