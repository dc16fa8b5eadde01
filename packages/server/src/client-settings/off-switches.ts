import { homedir } from 'node:os'
import { isJsonObject } from '@statewright/core/internal'
import type { SettingsFolders } from './installer.ts'
import { installers } from './installers.ts'
import { valueAt } from './json-text.ts'

/** A setting by which a client has been told to skip its hooks. */
export interface OffSwitch {
  readonly path: string
  readonly name: string
}

export type SwitchSources = Pick<SettingsFolders, 'project' | 'environment'>

/** Switches that are thrown, in the files of the user and of one project. */
export function offSwitches(
  client: string,
  { project, environment }: SwitchSources,
  read: (path: string) => string | undefined,
): OffSwitch[] {
  const home = environment.HOME || homedir()
  const switches = installers.get(client)?.offSwitches?.({ home, project, environment }) ?? []
  return switches
    .filter(({ path, keys, isOff }) => isOff(valueAt(parse(read(path)), keys)))
    .map(({ path, keys }) => ({ path, name: keys.join('.') }))
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
