import { dirname, join } from 'node:path'
import type { Json } from '@statewright/core/internal'
import { ourServerName } from '../clients/claude-tools.ts'
import { commandLine } from './command-line.ts'
import { folderFrom, type Installer, type InstallFacts, type Surroundings } from './installer.ts'
import type { SettingsEntry } from './settings-text.ts'

export const claudeInstaller: Installer = {
  client: 'claude-code',
  settings: 'either',
  homeOf: serversFile,
  files: (target, facts) => [
    {
      path: settingsFile(target),
      kind: 'json',
      entries: [...claudeHooks(facts), claudeStatusLine(facts)],
    },
    {
      path: serversFile(target),
      kind: 'json',
      entries: [mcpServerEntry(facts, target.project)],
    },
  ],
  offSwitches({ home, project, environment }) {
    const files = [
      settingsFile({ scope: 'user', project: undefined, home, environment }),
      join(project, '.claude', 'settings.json'),
      join(project, '.claude', 'settings.local.json'),
    ]
    const isOff = (value: unknown) => value === true
    return files.map((path) => ({ path, keys: ['disableAllHooks'], isOff }))
  },
}

function settingsFile({ project, home, environment }: Surroundings): string {
  // Not `settings.json` of the project, which is shared with everybody who has the repository.
  if (project !== undefined) return join(project, '.claude', 'settings.local.json')
  return join(folderFrom(environment.CLAUDE_CONFIG_DIR, join(home, '.claude')), 'settings.json')
}

function serversFile({ home, environment }: Surroundings): string {
  return join(folderFrom(environment.CLAUDE_CONFIG_DIR, home), '.claude.json')
}

/** Longer than our own deadline: the client must hear our denial, not its own timeout. */
const guardTimeoutS = 30
const otherTimeoutS = 15

/**
 * Events whose answer holds something back: without an answer the client must block. All go through
 * our command, none straight over HTTP: there the client takes an empty answer, or any object that
 * is none of ours, for a yes, and its settings would hold a key, which whoever has our port hears.
 */
const guarding = ['PreToolUse', 'ConfigChange']
const telling = [
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'UserPromptSubmit',
  'SubagentStop',
  'Stop',
  'SessionEnd',
  'SessionStart',
]

/** The hook entries in a settings file of Claude Code. */
export function claudeHooks(facts: InstallFacts): SettingsEntry[] {
  return [
    ...guarding.map((event) => hook(event, guardEntry(facts, guardTimeoutS))),
    ...telling.map((event) => hook(event, tellEntry(facts))),
  ]
}

/** For a client that we start for a session: it may wait for a person, and we know its turns. */
export function sessionHooks(facts: HookFacts, waitMs: number): Json {
  const guard = [{ hooks: [guardEntry(facts, Math.ceil(waitMs / 1000))] }]
  const tell = [{ hooks: [tellEntry(facts)] }]
  return Object.fromEntries([
    ...guarding.map((event) => [event, guard]),
    ...['PostToolUse', 'PostToolUseFailure'].map((event) => [event, tell]),
  ])
}

type HookFacts = Pick<InstallFacts, 'node' | 'hookFile' | 'keyFile'>

function guardEntry(facts: HookFacts, timeout: number) {
  return { ...commandEntry(facts), timeout, onFailure: 'block' }
}

function commandEntry({ node, hookFile, keyFile }: HookFacts) {
  // No shell: `args` are taken as they are.
  return { type: 'command', command: node, args: [hookFile, 'claude-code', keyFile] }
}

function tellEntry(facts: HookFacts) {
  return { ...commandEntry(facts), timeout: otherTimeoutS }
}

/** The person's own status line stays where they have one. */
function claudeStatusLine({ node, hookFile, keyFile }: InstallFacts): SettingsEntry {
  const script = join(dirname(hookFile), 'status-line.cjs')
  const command = commandLine([node, script, 'claude-code', keyFile])
  return { path: [], key: 'statusLine', value: { type: 'command', command }, ifMissing: true }
}

function hook(event: string, entry: Json): SettingsEntry {
  return { path: ['hooks', event], key: null, value: { hooks: [entry] } }
}

/**
 * Our MCP server in the client's own state file: for the user, or for the user in one project. Not
 * in the project's `.mcp.json`, which is shared with others.
 */
export function mcpServerEntry(facts: InstallFacts, project: string | undefined): SettingsEntry {
  const path = project === undefined ? ['mcpServers'] : ['projects', project, 'mcpServers']
  return { path, key: ourServerName, value: claudeMcpServer(facts) }
}

/** A command that finds the key, for the client copies its state file and sends to any port. */
function claudeMcpServer({ node, commandFile, keyFile }: InstallFacts) {
  return {
    type: 'stdio',
    command: node,
    args: [commandFile, 'mcp', '--key', keyFile, '--client', 'claude-code'],
    // Otherwise the client hides our tools until the model searches for them.
    alwaysLoad: true,
  }
}
