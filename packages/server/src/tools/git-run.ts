import { err, ok, type Result } from '@statewright/core/internal'
import { gitFolder } from './git-folder.ts'
import { toolLimits } from './limits.ts'
import type { ChildEnd } from './run-child.ts'
import { tellEnd } from './shell-tools.ts'
import { refusalResult, type ToolDone, type ToolHost } from './tool.ts'

/**
 * Settings that a repository could use to start programs, and what we set them to. A workspace is
 * not trusted: its hooks and helpers would run outside of every rule.
 */
const harmless: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.sshCommand', 'false'],
  ['core.askPass', 'false'],
  ['credential.helper', ''],
  ['diff.ignoreSubmodules', 'all'],
  ['submodule.recurse', 'false'],
  ['commit.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.allow', 'never'],
]

export interface GitWish {
  readonly args: readonly string[]
  readonly input?: string
  /** Filters of the repository are off. Where they decide what is stored, that is refused. */
  readonly needsFilters: boolean
  /** How much of what it prints is needed; the usual of a tool where nothing is said. */
  readonly outputBytes?: number
}

/** Runs git on the workspace without running anything that the workspace brings. */
export async function runGit(host: ToolHost, wish: GitWish): Promise<ToolDone> {
  const end = await gitEnd(host, wish)
  return end.ok ? tellEnd(end.value) : refusalResult(end.error.code, end.error.message)
}

interface GitFault {
  readonly code: string
  readonly message: string
}

/** How git ended, for who reads its words as data. */
export async function gitEnd(host: ToolHost, wish: GitWish): Promise<Result<ChildEnd, GitFault>> {
  const folder = gitFolder(host.workspace.root)
  if (!folder.ok) return folder
  const filters = await filterSettings(host, folder.value)
  if (!filters.ok) return filters
  const [first] = filters.value
  if (wish.needsFilters && first !== undefined) {
    const message = `This repository passes files through a program (${first}), which is not run.`
    return err({ code: 'git_filters', message })
  }
  const off = filters.value.map((name): readonly [string, string] => [
    name,
    name.endsWith('.required') ? 'false' : '',
  ])
  return ok(await start(host, folder.value, [...harmless, ...off], wish))
}

function start(
  { workspace, signal, timeoutMs, runChild, environment }: ToolHost,
  gitDir: string,
  settings: readonly (readonly [string, string])[],
  { args, input, outputBytes = toolLimits.outputBytes }: Omit<GitWish, 'needsFilters'>,
): Promise<ChildEnd> {
  return runChild({
    argv: ['git', '--no-pager', ...args],
    cwd: workspace.root,
    environment: {
      ...environment,
      ...settingsAsVariables(settings),
      GIT_DIR: gitDir,
      // Else `core.worktree` of the repository could name any folder of the machine.
      GIT_WORK_TREE: workspace.root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_LITERAL_PATHSPECS: '1',
      // A partial clone would fetch what is missing, through a program that it names itself.
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: '',
    },
    timeoutMs,
    outputBytes,
    signal,
    ...(input === undefined ? {} : { input }),
  })
}

/** As variables, since a name on the command line ends at its first `=`. */
function settingsAsVariables(
  settings: readonly (readonly [string, string])[],
): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) }
  for (const [index, [name, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = name
    variables[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return variables
}

/** Names of settings by which the repository puts programs between files and their contents. */
async function filterSettings(
  host: ToolHost,
  gitDir: string,
): Promise<Result<readonly string[], GitFault>> {
  const wanted = '^filter\\.'
  const args = ['config', '--includes', '--name-only', '--get-regexp', wanted]
  const end = await start(host, gitDir, [], { args })
  // Exit code 1 means that there are none.
  if (end.type === 'exited' && end.code === 1) return ok([])
  if (end.type === 'not_started') return err({ code: 'not_started', message: end.message })
  if (end.type !== 'exited' || end.code !== 0 || end.output.bytes > toolLimits.outputBytes) {
    return err({
      code: 'git_unreadable',
      message: 'The settings of the repository are unreadable.',
    })
  }
  return ok([...new Set(end.output.text.split('\n').filter((name) => name !== ''))])
}
