import { dirname, join } from 'node:path'
import { ourServerName } from '../clients/claude-tools.ts'
import { commandLine } from './command-line.ts'
import { folderFrom, type Installer, type InstallFacts, type Surroundings } from './installer.ts'
import type { SettingsEntry } from './settings-text.ts'

export const geminiInstaller: Installer = {
  client: 'gemini',
  // A project's settings are shared with everybody who has the repository, and the entries name
  // files of this machine: where they are missing, the client blocks every call.
  settings: 'user',
  homeOf: settingsFile,
  files: (target, facts) => [
    {
      path: settingsFile(target),
      kind: 'json',
      entries: [...geminiHooks(facts), geminiMcpServer(facts)],
    },
  ],
  offSwitches: ({ home, project, environment }) =>
    [folderFrom(environment.GEMINI_CLI_HOME, home), project].flatMap((folder) => {
      const path = join(folder, '.gemini', 'settings.json')
      return [
        { path, keys: ['hooksConfig', 'enabled'], isOff: (value: unknown) => value === false },
        { path, keys: ['hooksConfig', 'disabled'], isOff: namesUs },
      ]
    }),
  remark:
    'Gemini CLI runs no tool hooks under an editor (--acp): there it is not guarded. It also ' +
    'does not identify sub-agents, so the branches of a fork run one after the other.',
}

/**
 * The same as an extension of its own, beside the settings: nothing that a person wrote is touched.
 * It holds files of this machine and a key of its own, so that it is made here and not handed on.
 */
export const geminiExtension: Installer = {
  client: 'gemini-extension',
  speaks: 'gemini',
  settings: 'user',
  homeOf: geminiInstaller.homeOf,
  files: (target, facts) => {
    const folder = join(dirname(settingsFile(target)), 'extensions', ourServerName)
    const { key, value } = geminiMcpServer(facts)
    const manifest = {
      name: ourServerName,
      version: '1.0.0',
      description: 'A state machine between the agent and its tools.',
      mcpServers: { [key ?? '']: value },
    }
    const hooks = Object.fromEntries(
      geminiHooks(facts).map(({ path, value: group }) => [path.at(-1), [group]]),
    )
    return [
      // The guard first: without the manifest the client looks at none of it.
      { path: join(folder, 'hooks', 'hooks.json'), kind: 'whole', text: lines({ hooks }) },
      { path: join(folder, 'gemini-extension.json'), kind: 'whole', text: lines(manifest) },
    ]
  },
  ...(geminiInstaller.remark === undefined ? {} : { remark: geminiInstaller.remark }),
}

function namesUs(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.some((name) => typeof name === 'string' && /statewright|hook\.cjs/.test(name))
  )
}

function lines(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function settingsFile({ home, environment }: Surroundings): string {
  return join(folderFrom(environment.GEMINI_CLI_HOME, home), '.gemini', 'settings.json')
}

/** Longer than our own deadline: the client must hear our denial, not its own timeout. */
const guardTimeoutMs = 30_000
const otherTimeoutMs = 15_000

const events: readonly (readonly [name: string, timeoutMs: number])[] = [
  ['BeforeTool', guardTimeoutMs],
  ['AfterTool', otherTimeoutMs],
  ['BeforeAgent', otherTimeoutMs],
  ['AfterAgent', otherTimeoutMs],
  ['SessionStart', otherTimeoutMs],
  ['SessionEnd', otherTimeoutMs],
]

/** The hook entries in a settings file of Gemini CLI, which runs commands only. */
function geminiHooks({ node, hookFile, keyFile }: InstallFacts): SettingsEntry[] {
  const command = commandLine([node, hookFile, 'gemini', keyFile])
  return events.map(([event, timeout]) => ({
    path: ['hooks', event],
    key: null,
    value: { hooks: [{ type: 'command', name: `statewright-${event}`, command, timeout }] },
  }))
}

/** Started by the client, without a key in its settings: the file it names is the user's own. */
function geminiMcpServer({ node, commandFile, keyFile }: InstallFacts): SettingsEntry {
  return {
    path: ['mcpServers'],
    key: ourServerName,
    value: { command: node, args: [commandFile, 'mcp', '--key', keyFile, '--client', 'gemini'] },
  }
}
