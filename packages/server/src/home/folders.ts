import { hash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'

/** The variables around us; tests bring their own. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * What we call the project: the git root above a folder, else the folder above with our
 * configuration, else the folder itself.
 */
export function projectRoot(folder: string): string {
  const start = realOf(folder)
  return above(start, '.git') ?? above(start, 'statewright.yaml') ?? start
}

function above(start: string, name: string): string | undefined {
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at
    if (dirname(at) === at) return undefined
  }
}

/** Where all our data of this user lies, of every project. */
export function stateHome(environment: Environment): string {
  return join(base(environment, 'XDG_STATE_HOME', ['.local', 'state']), 'statewright')
}

export function configHome(environment: Environment): string {
  return join(base(environment, 'XDG_CONFIG_HOME', ['.config']), 'statewright')
}

export function userConfigFile(environment: Environment): string {
  return join(configHome(environment), 'config.yaml')
}

export function projectConfigFile(project: string): string {
  return join(project, 'statewright.yaml')
}

/**
 * The data of a project: outside of it, since `git clean` would take them there. The name is for
 * people, the hash keeps two projects of one name apart.
 */
export function dataFolder(
  project: string,
  environment: Environment,
  given: string | undefined,
): string {
  const wanted = given ?? nonEmpty(environment.STATEWRIGHT_DATA)
  if (wanted !== undefined) return resolve(wanted)
  const label =
    basename(project)
      .replaceAll(/[^A-Za-z0-9._-]/g, '_')
      .slice(0, 40) || 'root'
  return join(stateHome(environment), `${label}-${hash('sha256', project).slice(0, 12)}`)
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** The path with links followed as far as it exists. */
export function realOf(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const parent = dirname(whole)
    return parent === whole ? whole : join(realOf(parent), basename(whole))
  }
}

export function homeOf(environment: Environment): string {
  return nonEmpty(environment.HOME) ?? homedir()
}

/** A relative path in an XDG variable is to be ignored, says its specification. */
function base(environment: Environment, variable: string, inHome: readonly string[]): string {
  const given = nonEmpty(environment[variable])
  if (given !== undefined && isAbsolute(given)) return given
  return join(homeOf(environment), ...inHome)
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
