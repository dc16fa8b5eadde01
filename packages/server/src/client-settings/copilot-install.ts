import { join } from 'node:path'
import { ourServerName } from '../clients/claude-tools.ts'
import { commandLine } from './command-line.ts'
import { folderFrom, type Installer, type InstallFacts, type Surroundings } from './installer.ts'
import type { SettingsEntry } from './settings-text.ts'

/** In the user's settings: a project's are shared with everybody who has the repository. */
export const copilotInstaller: Installer = {
  client: 'copilot',
  settings: 'user',
  homeOf: copilotHome,
  files: (target, facts) => [
    {
      path: join(copilotHome(target), 'hooks', 'statewright.json'),
      kind: 'whole',
      text: `${JSON.stringify({ version: 1, hooks: copilotHooks(facts) }, null, 2)}\n`,
    },
    {
      path: join(copilotHome(target), 'mcp-config.json'),
      kind: 'json',
      entries: [copilotMcpServer(facts)],
    },
  ],
}

function copilotHome({ home, environment }: Surroundings): string {
  return folderFrom(environment.COPILOT_HOME, join(home, '.copilot'))
}

/** Longer than our own deadline: after its own the client lets the call pass. */
const guardTimeoutS = 30
const otherTimeoutS = 15

const telling = [
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'SessionStart',
  'SubagentStop',
  'Stop',
]

/** Commands, not http: that would reach us only where a variable allows the loopback address. */
function copilotHooks(facts: InstallFacts): object {
  const line = commandLine([facts.node, facts.hookFile, 'copilot', facts.keyFile])
  const entry = (command: string, timeout: number) => [
    { hooks: [{ type: 'command', command, timeout }] },
  ]
  return {
    // Every code but 0 is a denial here; said once more, should the shell itself fail.
    PreToolUse: entry(`${line} || exit 2`, guardTimeoutS),
    ...Object.fromEntries(telling.map((event) => [event, entry(line, otherTimeoutS)])),
  }
}

/** Started by the client where it works, so that it finds the server of that project. */
function copilotMcpServer({ node, commandFile, keyFile }: InstallFacts): SettingsEntry {
  const args = [commandFile, 'mcp', '--key', keyFile, '--client', 'copilot']
  const value = { type: 'local', command: node, args, tools: ['*'] }
  return { path: ['mcpServers'], key: ourServerName, value }
}
