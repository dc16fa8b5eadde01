import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject } from '@statewright/core/internal'
import { folderFrom } from './installer.ts'
import { valueAt } from './json-text.ts'

/** A setting by which a client has been told to skip its hooks. */
export interface OffSwitch {
  readonly path: string
  readonly name: string
}

export interface SwitchSources {
  readonly project: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

interface Looked {
  readonly path: string
  readonly keys: readonly string[]
  readonly isOff: (value: unknown) => boolean
}

/** Switches that are thrown, in the files of the user and of one project. */
export function offSwitches(
  client: string,
  sources: SwitchSources,
  read: (path: string) => string | undefined,
): OffSwitch[] {
  return looked(client, sources)
    .filter(({ path, keys, isOff }) => isOff(valueAt(parse(read(path)), keys)))
    .map(({ path, keys }) => ({ path, name: keys.join('.') }))
}

function looked(client: string, { project, environment }: SwitchSources): Looked[] {
  const home = environment.HOME || homedir()
  switch (client) {
    case 'claude-code': {
      const user = folderFrom(environment.CLAUDE_CONFIG_DIR, join(home, '.claude'))
      const files = [
        join(user, 'settings.json'),
        join(project, '.claude', 'settings.json'),
        join(project, '.claude', 'settings.local.json'),
      ]
      return files.map((path) => ({ path, keys: ['disableAllHooks'], isOff: isTrue }))
    }
    case 'gemini': {
      const user = folderFrom(environment.GEMINI_CLI_HOME, home)
      return [user, project].flatMap((folder) => {
        const path = join(folder, '.gemini', 'settings.json')
        return [
          { path, keys: ['hooksConfig', 'enabled'], isOff: isFalse },
          { path, keys: ['hooksConfig', 'disabled'], isOff: namesUs },
        ]
      })
    }
    default:
      return []
  }
}

const isTrue = (value: unknown) => value === true
const isFalse = (value: unknown) => value === false

function namesUs(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.some((name) => typeof name === 'string' && /statewright|hook\.cjs/.test(name))
  )
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
