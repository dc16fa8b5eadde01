import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json } from '@statewright/core/internal'
import { ourServerName } from '../clients/claude-tools.ts'
import { folderFrom, type Installer, type InstallFacts, type Surroundings } from './installer.ts'

export const opencodeInstaller: Installer = {
  client: 'opencode',
  // Of a project's files both are shared with everybody who has the repository.
  settings: 'user',
  homeOf: configFolder,
  files: (target, facts) => [
    // First the guard, then what it lets through.
    {
      path: join(configFolder(target), 'plugins', 'statewright.js'),
      kind: 'whole',
      text: pluginText(facts),
    },
    {
      path: join(configFolder(target), 'opencode.json'),
      kind: 'json',
      entries: [{ path: ['mcp'], key: ourServerName, value: mcpEntry(facts) }],
    },
  ],
  remark:
    'opencode skips a plugin that fails to load, and every plugin when started with --pure: run ' +
    '"statewright doctor opencode" to see that it guards.',
}

function configFolder({ home, environment }: Surroundings): string {
  const config = folderFrom(environment.XDG_CONFIG_HOME, join(home, '.config'))
  return folderFrom(environment.OPENCODE_CONFIG_DIR, join(config, 'opencode'))
}

const shipped = new URL('../../plugin/opencode/statewright.js', import.meta.url)
const placeholder = "const installed = { keyFile: '', keyProgram: '', mcpEntry: null }"

/** A copy, whole in itself: one that imports a file which has gone would be skipped, unguarded. */
export function pluginText(facts: InstallFacts): string {
  const { keyFile } = facts
  const keyProgram = join(dirname(facts.hookFile), 'project-key.cjs')
  const installed = JSON.stringify({ keyFile, keyProgram, mcpEntry: mcpEntry(facts) }, null, 2)
  const text = readFileSync(shipped, 'utf8')
  if (!text.includes(placeholder)) throw new Error('bug: the plugin has no place for its key')
  return text.replace(placeholder, () => `const installed = ${installed}`)
}

function mcpEntry({ node, commandFile, keyFile }: InstallFacts): Json {
  return { type: 'local', command: [node, commandFile, 'mcp', '--key', keyFile], enabled: true }
}
