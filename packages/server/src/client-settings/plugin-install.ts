import { join } from 'node:path'
import { ourServerName } from '../clients/claude-tools.ts'
import { pluginName } from '../clients/plugin-dialect.ts'
import { commandLine } from './command-line.ts'
import type { Installer, InstallFacts } from './installer.ts'

/**
 * A plugin in the format of Claude Code, which Codex and Copilot CLI load as well. It is written
 * for this machine, not shipped: its hooks name their programs and the key by absolute paths, since
 * neither the working folder nor the environment can be trusted to lead there.
 */
export const pluginInstaller: Installer = {
  client: pluginName,
  settings: 'user',
  homeOf: ({ home }) => join(home, '.statewright', 'plugin'),
  files: ({ home }, facts) => {
    const market = join(home, '.statewright', 'plugin')
    const folder = join(market, ourServerName)
    const whole = (path: string, value: object) => ({
      path,
      kind: 'whole' as const,
      text: `${JSON.stringify(value, null, 2)}\n`,
    })
    return [
      whole(join(folder, 'hooks', 'hooks.json'), { hooks: pluginHooks(facts) }),
      whole(join(folder, '.mcp.json'), { mcpServers: { [ourServerName]: server(facts) } }),
      whole(join(folder, '.claude-plugin', 'plugin.json'), manifest),
      whole(join(market, '.claude-plugin', 'marketplace.json'), {
        name: ourServerName,
        description,
        owner: { name: 'Statewright' },
        plugins: [{ name: ourServerName, source: `./${ourServerName}`, description }],
      }),
    ]
  },
  remark:
    'Add the folder ~/.statewright/plugin to your client as a marketplace and install the plugin ' +
    'statewright@statewright from it: `claude plugin marketplace add`, `claude plugin install`; ' +
    'in Codex `codex plugin marketplace add`, `codex plugin add`, then review its hooks; in ' +
    'Copilot CLI `--plugin-dir`. A client that "statewright install" guards needs no plugin.',
}

const description = 'A state machine between the agent and its tools.'
const manifest = {
  name: ourServerName,
  version: '1.0.0',
  description,
  author: { name: 'Statewright' },
  license: 'Apache-2.0',
}

const guardTimeoutS = 30
const otherTimeoutS = 15

/** Only events that all three clients have, or that the others pass over. */
const telling = ['PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SubagentStop', 'Stop']

/** One shell line each: Copilot CLI does not understand arguments beside a command. */
function pluginHooks(facts: InstallFacts): object {
  const line = commandLine([facts.node, facts.hookFile, pluginName, facts.keyFile])
  const entry = (command: string, timeout: number) => [
    { hooks: [{ type: 'command', command, timeout }] },
  ]
  return {
    PreToolUse: entry(`${line} || exit 2`, guardTimeoutS),
    ...Object.fromEntries(telling.map((event) => [event, entry(line, otherTimeoutS)])),
  }
}

/** Started by the client, without a key among what a plugin shows to everybody. */
function server({ node, commandFile, keyFile }: InstallFacts): object {
  return { command: node, args: [commandFile, 'mcp', '--key', keyFile] }
}
