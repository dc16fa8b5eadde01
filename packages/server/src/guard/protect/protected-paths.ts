import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { BoundedMap } from '@statewright/core/internal'
import { projectKeyFiles } from '../../base/key-files.ts'
import { Looks } from '../../base/looks.ts'
import type { RuntimeSettings } from '../../runtime/settings.ts'
import { gitFilesAt } from './git-files.ts'
import { gitTargets } from './git-targets.ts'
import { namesAnywhere } from './names-anywhere.ts'
import {
  guardNames,
  homePrograms,
  homeSettings,
  homeTools,
  keyFiles,
  laterNames,
  ownFolders,
  startUpFiles,
  systemFiles,
  systemGuards,
  systemPrograms,
} from './path-lists.ts'
import { folded, liesIn } from './path-match.ts'

/** A path that is guarded, with what is looked up for every call prepared once. */
export interface ProtectedPath {
  readonly path: string
  readonly folded: string
  /** The path and how it is called from the workspace or from home. */
  readonly names: readonly string[]
}

/** Paths that guarded calls meet differently; absolute. */
export interface ProtectedPaths {
  /** Neither read nor changed: our data, and files that hold keys to us or to a model. */
  readonly untouchable: readonly ProtectedPath[]
  /** Not changed, whatever a state allows: our configuration, what sets a coding client up. */
  readonly unchangeable: readonly ProtectedPath[]
  /** Not changed either: the program that judges. Far more files than all of the others. */
  readonly program: readonly ProtectedPath[]
  /** Changed only when a person agrees: what lies there runs later (SH-18). */
  readonly needApproval: readonly ProtectedPath[]
  /** The same by name in the workspace itself; elsewhere `laterAnywhere` knows them. */
  readonly later: readonly ProtectedPath[]
  /**
   * The same for folders of programs. Package managers link files of projects into them, so that
   * only the path tells that one is meant.
   */
  readonly tools: readonly ProtectedPath[]
  /** Not seen by a command in a cage (SH-14). */
  readonly masked: readonly string[]
}

/** What sets a guard up, in whichever folder it lies. */
export const guardsAnywhere = namesAnywhere(guardNames)
/** What holds the key of a client's hooks, in whichever project. */
export const keysAnywhere = namesAnywhere(projectKeyFiles)
/** What runs later, in whichever folder it lies. */
export const laterAnywhere = namesAnywhere(laterNames)

interface CachedPaths {
  readonly paths: ProtectedPaths
  readonly from: readonly (readonly string[])[]
  readonly at: number
}

/**
 * Following some hundred links for each call would cost more than judging it. Within this time only
 * a call that changes one of these very paths could make it wrong: it is refused, or a person is
 * asked, and then all are looked up again.
 */
const freshMs = 5000
const maxKnown = 100
const known = new BoundedMap<string, CachedPaths>(maxKnown)

/** What is protected around one workspace, links followed. */
export function protectedPathsOf(settings: RuntimeSettings, workspace: string): ProtectedPaths {
  const { protectedPaths, protectedFiles, askPaths, clientFolders, homes, program } = settings
  const from = [protectedPaths, protectedFiles, askPaths, clientFolders, homes, program]
  const key = keyOf(settings, workspace)
  const before = known.get(key)
  const at = performance.now()
  const isFresh = before !== undefined && at - before.at < freshMs
  if (isFresh && before.from.every((list, index) => list === from[index])) return before.paths
  const paths = lookUp(settings, workspace)
  known.set(key, { paths, from, at })
  return paths
}

/** Where one of them may be another place from now on. */
export function lookUpAnew(settings: RuntimeSettings, workspace: string): void {
  known.delete(keyOf(settings, workspace))
}

function keyOf({ home, homes }: RuntimeSettings, workspace: string): string {
  return [home ?? '', homes.at(-1) ?? '', workspace].join('\n')
}

function lookUp(settings: RuntimeSettings, workspace: string): ProtectedPaths {
  const homes = homesOf(settings)
  const looks = new Looks()
  const real = (paths: readonly string[]) => withReal(paths, looks)
  const inHome = (names: readonly string[]) =>
    homes.flatMap((home) => names.map((name) => join(home, name)))
  const here = (names: readonly string[]) => names.map((name) => join(workspace, name))
  const prepare = (paths: readonly string[]) =>
    paths.map((path) => prepared(path, [workspace, ...homes]))
  const keys = [...inHome([...keyFiles, ...ownFolders]), ...here(projectKeyFiles)]
  const untouchable = real([...settings.protectedPaths, ...keys])
  const clients = real([...inHome(homeSettings), ...settings.clientFolders])
  const configured = [...settings.protectedFiles, ...configurationsAt(workspace)]
  const inProject = real([...configured, ...here(guardNames)])
  const needApproval = [
    ...settings.askPaths,
    ...gitFilesAt(workspace),
    ...homes.flatMap((home) => ownTargets(home, workspace)),
    ...inHome(startUpFiles),
    ...systemFiles,
  ]
  return {
    untouchable: prepare(untouchable),
    unchangeable: prepare([...clients, ...inProject, ...real(systemGuards)]),
    program: prepare([...settings.program, ...real(inHome(homePrograms))]),
    needApproval: prepare(real(needApproval)),
    later: prepare(real(here(laterNames))),
    // Anyone who works in one of them works with their own files.
    tools: prepare(
      real([...inHome(homeTools), ...systemPrograms].filter((path) => !liesIn(workspace, path))),
    ),
    masked: [...untouchable, ...clients],
  }
}

/** What a person's own configuration of git leads to in a workspace. */
function ownTargets(home: string, workspace: string): string[] {
  return ['.gitconfig', '.config/git/config'].flatMap((name) =>
    gitTargets(join(home, name), workspace, home).filter((path) => liesIn(path, workspace)),
  )
}

/** Where clients may keep their settings: the home of the server is not always theirs. */
export function homesOf({ home, homes }: RuntimeSettings): readonly string[] {
  return [...new Set(home === null ? homes : [home, ...homes])]
}

/**
 * The settings for a client that has a home of its own, as in a container: it only adds to those
 * that we know, so that nobody gets away from them by telling another one (SH-20a).
 */
export function withHome(settings: RuntimeSettings, home: string | undefined): RuntimeSettings {
  if (home === undefined || homesOf(settings).includes(home)) return settings
  return { ...settings, homes: listWith(settings.homes, home) }
}

const maxHomes = 100
const lists = new WeakMap<readonly string[], BoundedMap<string, readonly string[]>>()

/** The very same list each time: what was looked up for it is kept. */
function listWith(homes: readonly string[], home: string): readonly string[] {
  const made = lists.get(homes) ?? new BoundedMap<string, readonly string[]>(maxHomes)
  const list = made.get(home) ?? [...homes, home]
  made.set(home, list)
  lists.set(homes, made)
  return list
}

const configuration = 'statewright.yaml'

/** The configuration of the run's own project, wherever the server was started. */
function configurationsAt(workspace: string): string[] {
  const found: string[] = []
  for (let at = dirname(workspace); at !== dirname(at); at = dirname(at)) {
    const above = join(at, configuration)
    if (existsSync(above)) found.push(above)
  }
  return found
}

function prepared(path: string, bases: readonly string[]): ProtectedPath {
  const inside = bases.filter((base) => liesIn(path, base))
  const tails = inside.map((base) => relative(base, path)).filter((tail) => tail !== '')
  return { path, folded: folded(path), names: [...new Set([path, ...tails])] }
}

/** As named and as it really is: a link may be replaced as well as followed. */
export function withReal(paths: readonly string[], looks: Looks): string[] {
  return [...new Set(paths.flatMap((path) => [path, looks.real(path)]))]
}
