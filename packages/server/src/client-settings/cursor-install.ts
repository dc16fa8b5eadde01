import { join } from 'node:path'
import { ourServerName } from '../clients/claude-tools.ts'
import { commandLine } from './command-line.ts'
import type { Installer, InstallFacts } from './installer.ts'
import type { SettingsEntry } from './settings-text.ts'

/** In the user's settings: a project's are shared with everybody who has the repository. */
export const cursorInstaller: Installer = {
  client: 'cursor',
  settings: 'user',
  homeOf: ({ home }) => join(home, '.cursor'),
  files: ({ home }, facts) => [
    { path: join(home, '.cursor', 'hooks.json'), kind: 'json', entries: cursorHooks(facts) },
    { path: join(home, '.cursor', 'mcp.json'), kind: 'json', entries: [cursorMcpServer(facts)] },
  ],
  remark:
    'Support for Cursor is experimental and follows its documentation only. Try a call that your ' +
    'workflow forbids before you rely on it.',
}

const telling = ['postToolUse', 'postToolUseFailure', 'sessionStart', 'stop', 'subagentStop']

/** Without a timeout of ours, whose unit is told differently: a late answer blocks in any case. */
function cursorHooks(facts: InstallFacts): SettingsEntry[] {
  const line = commandLine([facts.node, facts.hookFile, 'cursor', facts.keyFile])
  const entry = (event: string, value: SettingsEntry['value']): SettingsEntry => ({
    path: ['hooks', event],
    key: null,
    value,
  })
  return [
    { path: [], key: 'version', value: 1, ifMissing: true, isFormat: true },
    entry('preToolUse', { command: `${line} || exit 2`, failClosed: true }),
    ...telling.map((event) => entry(event, { command: line })),
  ]
}

/** In Cursor's own words, which it fills in. */
const openFolder = ['$', '{workspaceFolder}'].join('')

/** It fills in the folder that is open; where it does not, the one that it works in counts. */
function cursorMcpServer({ node, commandFile, keyFile }: InstallFacts): SettingsEntry {
  const folder = ['--folder', openFolder]
  const args = [commandFile, 'mcp', '--key', keyFile, '--client', 'cursor', ...folder]
  return { path: ['mcpServers'], key: ourServerName, value: { command: node, args } }
}
