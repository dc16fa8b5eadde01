import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { RuntimeSettings } from '../../runtime/settings.ts'
import { realOf } from '../../runtime/workspace-facts.ts'
import { folded, liesIn } from './path-match.ts'

/** A path that is guarded, with what is looked up for every call prepared once. */
export interface Kept {
  readonly path: string
  readonly folded: string
  /** The path and how it is called from the workspace or from home. */
  readonly names: readonly string[]
}

/** Paths that guarded calls meet differently; absolute. */
export interface Ground {
  /** Neither read nor changed: our data, and files that hold keys to us or to a model. */
  readonly untouchable: readonly Kept[]
  /** Not changed, whatever a state allows: our configuration, what sets a coding client up. */
  readonly unchangeable: readonly Kept[]
  /** Changed only when a person agrees: what lies there runs later (SH-18). */
  readonly asked: readonly Kept[]
  /** Not seen by a command in a cage (SH-14). */
  readonly masked: readonly string[]
}

/** Files of coding clients, in a home folder, that hold keys. */
const keyFiles = [
  '.claude/.credentials.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude.json',
  '.codex/auth.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.gemini/oauth_creds.json',
  '.local/share/opencode/auth.json',
  '.config/opencode/opencode.json',
  '.config/opencode/opencode.jsonc',
  '.config/github-copilot',
  '.copilot/config.json',
  '.copilot/mcp-config.json',
  '.cursor/mcp.json',
]

/** In a project: there the key of the hooks stands when a client was set up for it alone. */
const projectKeyFiles = ['.claude/settings.local.json']

/** Folders and files in a home folder by which coding clients are set up. */
const homeSettings = [
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.opencode',
  '.config/opencode',
  '.local/share/opencode',
  '.copilot',
  '.config/github-copilot',
  '.cursor',
]

/** The same in a project. */
const projectSettings = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.codex',
  '.gemini',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.copilot',
  '.github/hooks',
  '.cursor',
]

/** What runs later without anybody asking for it, in a project. */
const runsLater = ['.git/config', '.git/hooks', '.npmrc', '.envrc', '.claude']

const startUpFiles = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.config/fish',
  '.gitconfig',
  '.config/git',
  '.npmrc',
  '.ssh',
]

interface Known {
  readonly ground: Ground
  readonly from: readonly (readonly string[])[]
  readonly at: number
}

/**
 * Following some fifty links for each call would cost more than judging it. Within this time only
 * a call that changes one of these very paths could make it wrong, and that one is refused.
 */
const freshMs = 1000
const mostKnown = 100
const known = new Map<string, Known>()

/** The ground of one workspace, links followed. */
export function groundOf(settings: RuntimeSettings, workspace: string): Ground {
  const { protectedPaths, keptFiles, askPaths, clientFolders, home, homes } = settings
  const from = [protectedPaths, keptFiles, askPaths, clientFolders, homes]
  const key = `${home ?? ''}\n${workspace}`
  const before = known.get(key)
  const at = performance.now()
  const isFresh = before !== undefined && at - before.at < freshMs
  if (isFresh && before.from.every((list, index) => list === from[index])) return before.ground
  const ground = makeGround(settings, workspace)
  if (known.size >= mostKnown) known.clear()
  known.set(key, { ground, from, at })
  return ground
}

function makeGround(settings: RuntimeSettings, workspace: string): Ground {
  const homes = homesOf(settings)
  const inHome = (names: readonly string[]) =>
    homes.flatMap((home) => names.map((name) => join(home, name)))
  const here = (names: readonly string[]) => names.map((name) => join(workspace, name))
  const keep = (paths: readonly string[]) => paths.map((path) => kept(path, [workspace, ...homes]))
  const keys = [...inHome(keyFiles), ...here(projectKeyFiles)]
  const untouchable = real([...settings.protectedPaths, ...keys])
  const clients = real([...inHome(homeSettings), ...settings.clientFolders])
  const configured = [...settings.keptFiles, ...configurationsAt(workspace)]
  const inProject = real([...configured, ...here(projectSettings)])
  return {
    untouchable: keep(untouchable),
    unchangeable: keep([...clients, ...inProject]),
    asked: keep(real([...settings.askPaths, ...here(runsLater), ...inHome(startUpFiles)])),
    masked: [...untouchable, ...clients],
  }
}

/** Where clients may keep their settings: the home of the server is not always theirs. */
export function homesOf({ home, homes }: RuntimeSettings): readonly string[] {
  return [...new Set(home === null ? homes : [home, ...homes])]
}

const configuration = 'statewright.yaml'

/** The configuration of the run's own project, wherever the server was started. */
function configurationsAt(workspace: string): string[] {
  const found = [join(workspace, configuration)]
  for (let at = dirname(workspace); at !== dirname(at); at = dirname(at)) {
    const above = join(at, configuration)
    if (existsSync(above)) found.push(above)
  }
  return found
}

function kept(path: string, bases: readonly string[]): Kept {
  const inside = bases.filter((base) => liesIn(path, base))
  const tails = inside.map((base) => relative(base, path)).filter((tail) => tail !== '')
  return { path, folded: folded(path), names: [...new Set([path, ...tails])] }
}

/** As named and as it really is: a link may be replaced as well as followed. */
function real(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [path, realOf(path)]))]
}
