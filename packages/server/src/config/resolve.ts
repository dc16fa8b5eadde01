import { hash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { ok, own, type Problem, type Result, stableText } from '@statewright/core/internal'
import {
  configHome,
  dataFolder,
  type Environment,
  homeOf,
  projectConfigFile,
  projectRoot,
  realOf,
  stateHome,
  userConfigFile,
} from '../home/folders.ts'
import { peoplesHomes } from '../home/homes.ts'
import { readDefinitionFiles } from './definition-files.ts'
import { readEnvironment } from './environment.ts'
import { withProgramFiles } from './named-programs.ts'
import { checkOidc } from './oidc-schema.ts'
import { readConfigFile } from './read-file.ts'
import { type Config, defaults, type Settings } from './schema.ts'

export interface ConfigSources {
  readonly folder: string
  readonly environment: Environment
  /** What the command line says; it comes before everything else. */
  readonly flags: Config
}

export interface Resolved {
  readonly settings: Settings
  /** Where each setting comes from: a file, the environment, a flag or the defaults. */
  readonly origins: Readonly<Record<keyof Settings, string>>
  /** Keys that the project's own file decides: anyone who wrote the project did. */
  readonly projectKeys: readonly string[]
  /** Variables that look like ours and do nothing. */
  readonly unknown: readonly string[]
}

/** Flags, then environment, then the project's file, then the user's, then defaults. */
export function resolveConfig(sources: ConfigSources): Result<Resolved, Problem> {
  const { folder, environment, flags } = sources
  const project = projectRoot(folder)
  const files = [projectConfigFile(project), userConfigFile(environment)]
  const variables = readEnvironment(environment)
  if (!variables.ok) return variables
  const layers: { from: string; config: Config }[] = [
    { from: 'the command line', config: flags },
    { from: 'the environment', config: variables.value.config },
  ]
  for (const file of files) {
    const read = readConfigFile(file)
    if (!read.ok) return read
    if (read.value !== undefined) layers.push({ from: file, config: read.value })
  }
  const { settings, origins } = layered(layers)
  const listed = layers.find(({ config }) => config.definitions !== undefined)?.config.definitions
  const definitions = readDefinitionFiles(project, listed ?? [])
  if (!definitions.ok) return definitions
  const provider = checkOidc(settings.oidc, project)
  if (!provider.ok) return provider
  const unknown = variables.value.unknown.filter((name) => !namedVariables(settings).has(name))
  const named = { ...settings, definitions: definitions.value }
  return ok({
    settings: withProgramFiles(named, { folder: project, environment }),
    origins,
    projectKeys: Object.keys(origins).filter((key) => own(origins, key) === files[0]),
    unknown,
  })
}

/** Variables that the configuration itself names: they do something, however they are called. */
function namedVariables({ mail, notify, oidc }: Settings): ReadonlySet<string | undefined> {
  return new Set([mail?.resend.key_env, notify.webhook?.secret_env, oidc?.client_secret_env])
}

function layered(
  layers: readonly { from: string; config: Config }[],
): Pick<Resolved, 'settings' | 'origins'> {
  const settings: Record<string, unknown> = { ...defaults }
  const origins: Record<string, string> = {}
  for (const key of Object.keys(defaults)) origins[key] = 'default'
  for (const { from, config } of layers.toReversed()) {
    const { $schema: _, ...given } = config
    for (const [key, value] of Object.entries(given)) {
      if (value === undefined) continue
      settings[key] = value
      origins[key] = from
    }
  }
  // Every key was there from the defaults, and each value has passed the schema.
  return { settings, origins } as unknown as Pick<Resolved, 'settings' | 'origins'>
}

/** What tells one configuration from another: only what it decides, not where that is written. */
export function settingsHash(settings: Settings): string {
  return hash('sha256', stableText(settings))
}

export interface OwnPaths {
  readonly project: string
  readonly data: string
  /** Everything of ours that a guarded call may not touch, links followed. */
  readonly protectedPaths: readonly string[]
  /** Files of ours in the project; they may be read, not changed. */
  readonly files: readonly string[]
  readonly home: string
  /** Those of other people on this machine. */
  readonly homes: readonly string[]
  /** Where variables put the settings of coding clients. */
  readonly clientFolders: readonly string[]
}

const clientVariables = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'OPENCODE_CONFIG_DIR', 'COPILOT_HOME']

export function ownPaths(
  sources: Pick<ConfigSources, 'folder' | 'environment'>,
  data?: string,
): OwnPaths {
  const { folder, environment } = sources
  const project = projectRoot(folder)
  const chosen = dataFolder(project, environment, data)
  const kept = [chosen, stateHome(environment), configHome(environment)].map(realOf)
  const folders = clientVariables.flatMap((name) => environment[name] ?? [])
  return {
    project,
    data: chosen,
    protectedPaths: [...new Set(kept)],
    files: [realOf(projectConfigFile(project))],
    home: homeOf(environment),
    homes: peoplesHomes(),
    clientFolders: folders.filter((path) => isAbsolute(path)),
  }
}
