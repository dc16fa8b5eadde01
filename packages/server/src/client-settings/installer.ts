import type { Json } from '@statewright/core/internal'
import type { SettingsEntry } from './settings-text.ts'

export type Scope = 'project' | 'user'

/** Whose settings are changed. */
export interface Surroundings {
  readonly scope: Scope
  /** The folder of the project whose own settings they are; undefined for those of the user. */
  readonly project: string | undefined
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What the entries in a client's settings speak of: never a key, for anybody may read them. */
export interface InstallFacts {
  /** The Node that runs our commands, and the commands themselves, as absolute paths. */
  readonly node: string
  readonly hookFile: string
  readonly commandFile: string
  /** The file with address and key, for the commands. */
  readonly keyFile: string
}

/** How the settings of a coding client are to be changed. Pure: it only says what is wanted. */
export interface Installer {
  /** As in `/hooks/<client>`. */
  readonly client: string
  /** The coding client whose hooks it arranges, where that is not its own name. */
  readonly speaks?: string
  /**
   * Whose settings it changes. Those of the user hold in every folder, also where they are meant
   * for one project: there the hooks look whose folder it is. `either` has private ones for a
   * project as well.
   */
  readonly settings: 'user' | 'either'
  /**
   * The file or folder by which the client's own settings are told from another's. Two
   * installations with the same one meet in one session.
   */
  homeOf(target: Surroundings): string
  files(target: Surroundings, facts: InstallFacts): readonly FileEdit[]
  /** Settings by which the client can be told to skip its hooks; left out where there are none. */
  offSwitches?(folders: SettingsFolders): readonly SettingSwitch[]
  /** What a person must still do or know, told after installing. */
  readonly remark?: string
}

export interface SettingsFolders extends Pick<Surroundings, 'home' | 'environment'> {
  readonly project: string
}

/** A value in a settings file that may switch hooks off. */
export interface SettingSwitch {
  readonly path: string
  readonly keys: readonly string[]
  isOff(value: unknown): boolean
}

/** A file of the client and what is to stand in it. */
export type FileEdit =
  | { readonly path: string; readonly kind: 'json'; readonly entries: readonly SettingsEntry[] }
  | { readonly path: string; readonly kind: 'toml'; readonly tables: TomlTables }
  /** A file that is ours as a whole. */
  | { readonly path: string; readonly kind: 'whole'; readonly text: string }

/** Tables for a TOML file; they may depend on how the files before it will look. */
export type TomlTables = (earlier: ReadonlyMap<string, string>) => readonly TomlTable[]

export interface TomlTable {
  /** The table's name as a list of keys, such as `['mcp_servers', 'statewright']`. */
  readonly path: readonly string[]
  readonly values: Readonly<Record<string, Json>>
}

/** Where a variable may name another folder for a client's settings. */
export function folderFrom(given: string | undefined, otherwise: string): string {
  return given === undefined || given === '' ? otherwise : given
}
