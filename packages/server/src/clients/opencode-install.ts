import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@statewright/core'
import { ourServerName } from './claude-tools.ts'
import { folderFrom, type Installer, type InstallFacts, type Surroundings } from './installer.ts'

export const opencodeInstaller: Installer = {
  client: 'opencode',
  // Of a project's files both are shared with everybody who has the repository.
  scopes: ['user', 'project'],
  homeOf: (place) => configFolder({ ...place, project: undefined }),
  files: (place, facts) => [
    // First the guard, then what it lets through.
    { path: pluginFile(place), kind: 'whole', text: pluginText(facts) },
    {
      path: join(place.project ?? configFolder(place), 'opencode.json'),
      kind: 'json',
      wanted: [{ path: ['mcp'], key: ourServerName, value: mcpEntry(facts) }],
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

function pluginFile(place: Surroundings): string {
  const folder =
    place.project === undefined ? configFolder(place) : join(place.project, '.opencode')
  return join(folder, 'plugins', 'statewright.js')
}

const shipped = new URL('../../plugin/opencode/statewright.js', import.meta.url)
const placeholder = "const installed = { keyFile: '', mcpEntry: null }"

/** A copy, whole in itself: one that imports a file which has gone would be skipped, unguarded. */
export function pluginText(facts: InstallFacts): string {
  const { keyFile } = facts
  const installed = JSON.stringify({ keyFile, mcpEntry: mcpEntry(facts) }, null, 2)
  const text = readFileSync(shipped, 'utf8')
  if (!text.includes(placeholder)) throw new Error('bug: the plugin has no place for its key')
  return text.replace(placeholder, () => `const installed = ${installed}`)
}

export function mcpEntry({ node, commandFile, keyFile }: InstallFacts): Json {
  return { type: 'local', command: [node, commandFile, 'mcp', '--key', keyFile], enabled: true }
}
