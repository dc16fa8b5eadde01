import { dirname, join } from 'node:path'
import type { Json } from '@statewright/core'
import { ourServerName } from './claude-tools.ts'
import { commandLine } from './command-line.ts'
import { folderFrom, type Installer, type InstallFacts, type Surroundings } from './installer.ts'
import type { Wanted } from './settings-text.ts'

export const claudeInstaller: Installer = {
  client: 'claude-code',
  scopes: ['project', 'user'],
  homeOf: serversFile,
  files: (place, facts) => [
    {
      path: settingsFile(place),
      kind: 'json',
      wanted: [...claudeHooks(facts), claudeStatusLine(facts)],
    },
    {
      path: serversFile(place),
      kind: 'json',
      wanted: [claudeMcpServer(facts, place.project)],
    },
  ],
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
 * Events whose answer holds something back: without an answer the client must block. They go
 * through our command, not straight over HTTP: there the client takes an empty answer, or any
 * object that is none of ours, for a yes.
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
]

/** The hook entries in a settings file of Claude Code. */
export function claudeHooks(facts: InstallFacts): Wanted[] {
  // No shell: `args` are taken as they are.
  const command = {
    type: 'command',
    command: facts.node,
    args: [facts.hookFile, 'claude-code', facts.keyFile],
  }
  const http = {
    type: 'http',
    url: `${facts.url}/hooks/claude-code`,
    headers: { Authorization: `Bearer ${facts.hookToken}` },
    timeout: otherTimeoutS,
  }
  return [
    ...guarding.map((event) =>
      hook(event, { ...command, timeout: guardTimeoutS, onFailure: 'block' }),
    ),
    ...telling.map((event) => hook(event, http)),
    // The client does not deliver this one over HTTP.
    hook('SessionStart', { ...command, timeout: otherTimeoutS }),
  ]
}

/** The person's own status line stays where they have one. */
export function claudeStatusLine({ node, hookFile, keyFile }: InstallFacts): Wanted {
  const script = join(dirname(hookFile), 'status-line.cjs')
  const command = commandLine([node, script, 'claude-code', keyFile])
  return { path: [], key: 'statusLine', value: { type: 'command', command }, ifMissing: true }
}

function hook(event: string, entry: Json): Wanted {
  return { path: ['hooks', event], key: null, value: { hooks: [entry] } }
}

/**
 * Our MCP server in the client's own state file: for the user, or for the user in one project. Not
 * in the project's `.mcp.json`, which is shared with others and would give them the key.
 */
export function claudeMcpServer(facts: InstallFacts, project: string | undefined): Wanted {
  const path = project === undefined ? ['mcpServers'] : ['projects', project, 'mcpServers']
  return {
    path,
    key: ourServerName,
    value: {
      type: 'http',
      url: `${facts.url}/mcp`,
      headers: { Authorization: `Bearer ${facts.token}` },
      // Otherwise the client hides our tools until the model searches for them.
      alwaysLoad: true,
    },
  }
}
