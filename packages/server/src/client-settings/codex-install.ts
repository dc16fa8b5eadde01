import { hash } from 'node:crypto'
import { join } from 'node:path'
import { isJsonObject, type Json, stableText } from '@statewright/core/internal'
import { ourServerName } from '../clients/claude-tools.ts'
import { commandLine } from './command-line.ts'
import {
  folderFrom,
  type Installer,
  type InstallFacts,
  type Surroundings,
  type TomlTable,
} from './installer.ts'
import { valueAt } from './json-text.ts'
import type { SettingsEntry } from './settings-text.ts'

/** In the user's settings: a project's count after a question that nobody sees headless. */
export const codexInstaller: Installer = {
  client: 'codex',
  settings: 'user',
  homeOf: codexHome,
  files: (target, facts) => {
    const hooksFile = join(codexHome(target), 'hooks.json')
    return [
      { path: hooksFile, kind: 'json', entries: codexHooks(facts) },
      {
        path: join(codexHome(target), 'config.toml'),
        kind: 'toml',
        tables: (earlier) => [
          codexMcpServer(facts),
          ...trustTables(hooksFile, earlier.get(hooksFile) ?? '{}', facts),
        ],
      },
    ]
  },
  remark:
    'Codex identifies hooks by their position. After removing or reordering other hooks in ' +
    'hooks.json, install again, or Codex silently skips those of Statewright. ' +
    '"statewright doctor" shows it.',
}

function codexHome({ home, environment }: Surroundings): string {
  return folderFrom(environment.CODEX_HOME, join(home, '.codex'))
}

/** Longer than our own deadline: after its own the client lets the call pass. */
const guardTimeoutS = 30
const otherTimeoutS = 15

const telling = ['PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SubagentStop', 'Stop']

/** The entries in `hooks.json`. There is no http here: one such entry voids the whole file. */
export function codexHooks(facts: InstallFacts): SettingsEntry[] {
  const line = commandLine([facts.node, facts.hookFile, 'codex', facts.keyFile])
  return [
    // Whatever keeps the command from answering, such as a Node that was removed, must block: the
    // client takes every other code for a yes.
    entry('PreToolUse', `${line} || exit 2`, guardTimeoutS),
    ...telling.map((event) => entry(event, line, otherTimeoutS)),
  ]
}

function entry(event: string, command: string, timeout: number): SettingsEntry {
  return {
    path: ['hooks', event],
    key: null,
    value: { hooks: [{ type: 'command', command, timeout }] },
  }
}

/** Started by the client where it works, so that it finds the server of that project. */
function codexMcpServer({ node, commandFile, keyFile }: InstallFacts): TomlTable {
  const args = [commandFile, 'mcp', '--key', keyFile, '--client', 'codex']
  // Else its first turn does not wait for us, and a held agent could not ask to move on.
  const values = { command: node, args, required: true }
  return { path: ['mcp_servers', ourServerName], values }
}

/**
 * The client skips a hook, without a word, until its hash is known as reviewed by a person. The
 * person has just been shown it, so that it is entered: by the hook's place in its file, and a hash
 * over what it says.
 */
function trustTables(hooksFile: string, hooksText: string, facts: InstallFacts): TomlTable[] {
  const document: unknown = JSON.parse(hooksText)
  return codexHooks(facts).flatMap(({ path, value }) => {
    const [, event = ''] = path
    const groups = valueAt(document, path)
    if (!Array.isArray(groups)) return []
    const index = groups.findIndex((group) => stableText(group) === stableText(value))
    const key = `${hooksFile}:${snakeCase(event)}:${index}:0`
    return [{ path: ['hooks', 'state', key], values: { trusted_hash: trustedHash(event, value) } }]
  })
}

/** The hash that the client itself makes of a hook (its `hooks/list` tells it as `currentHash`). */
export function trustedHash(event: string, group: Json): string {
  const hooks = isJsonObject(group) && Array.isArray(group.hooks) ? group.hooks : []
  const handlers = hooks.map((hook) => ({ async: false, ...(isJsonObject(hook) ? hook : {}) }))
  const identity = { event_name: snakeCase(event), hooks: handlers }
  return `sha256:${hash('sha256', stableText(identity))}`
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter, at: number) =>
    at === 0 ? letter.toLowerCase() : `_${letter.toLowerCase()}`,
  )
}
