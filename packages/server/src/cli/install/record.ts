import { hash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { err, isJsonObject, ok, type Problem, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import { Undo } from '../../client-settings/edit-file.ts'
import type { Installer, Scope, Surroundings } from '../../client-settings/installer.ts'
import { spokenClient } from '../../client-settings/installers.ts'
import { type Environment, projectRoot, stateHome } from '../../home/folders.ts'
import { readSettings, writeSettings } from '../config/settings-file.ts'

/** Where an installation lies, what it guards, and where we remember it. */
export interface InstallTarget extends Surroundings {
  readonly installer: Installer
  /** What tells the client's own settings from another's. */
  readonly clientHome: string
  /** Address and key for the hook command, and what to take away again. */
  readonly recordFile: string
  /** The project whose calls are judged; undefined for those of every folder. */
  readonly guards: string | undefined
  /** The same where the settings do not say it themselves: the hooks must look. */
  readonly keyProject: string | undefined
}

/** `wanted`: whether one project is to be guarded, or every folder of the user. */
export function installTarget(
  installer: Installer,
  environment: Environment,
  wanted: Scope,
  folder: string,
): InstallTarget {
  const guards = wanted === 'project' ? projectRoot(folder) : undefined
  const hasOwn = installer.settings === 'either' && wanted === 'project'
  const target: Surroundings = {
    scope: hasOwn ? 'project' : 'user',
    project: hasOwn ? guards : undefined,
    home: environment.HOME || homedir(),
    environment,
  }
  const { scope, project } = target
  const clientHome = installer.homeOf(target)
  const name = hash('sha256', `${scope}\n${clientHome}\n${project ?? ''}`).slice(0, 12)
  const recordFile = join(installsFolder(environment), `${installer.client}-${name}.json`)
  const keyProject = hasOwn ? undefined : guards
  return { ...target, installer, clientHome, recordFile, guards, keyProject }
}

export function installsFolder(environment: Environment): string {
  return join(stateHome(environment), 'installs')
}

/**
 * The name under which the server knows this installation, however often its key is made again. It
 * is told apart from those of other users and machines, whose folders may have the same names.
 */
export function installationName(target: InstallTarget): Result<string, Problem> {
  const file = join(dirname(target.recordFile), 'id')
  const known = readSettings(file)
  if (!known.ok) return known
  const id = known.value?.trim() || randomUUID()
  const kept = known.value === undefined ? writeSettings(file, `${id}\n`) : ok(undefined)
  if (!kept.ok) return kept
  return ok([id, basename(target.recordFile, '.json'), target.keyProject ?? ''].join(' '))
}

const ChangedFile = z.strictObject({
  path: z.string(),
  /** There was no such file before. */
  created: z.boolean(),
  /** A folder that had to be made for it. */
  folder: z.string().optional(),
  undo: Undo,
})

/** With what calls are judged, and where. `bin/project-key.cjs` reads it for every call. */
export const InstallKey = z.strictObject({
  /** Only for calls in this project; left out for those of every folder. */
  project: z.string().optional(),
  url: z.string(),
  /** Where a server on this machine says under which address it answers now. */
  data: z.string().optional(),
  token: z.string(),
  hook_token: z.string().optional(),
  token_id: z.string(),
})
export type InstallKey = z.infer<typeof InstallKey>

export const InstallRecord = z.strictObject({
  client: z.string(),
  scope: z.enum(['project', 'user']),
  project: z.string().optional(),
  client_home: z.string(),
  keys: z.array(InstallKey).min(1),
  files: z.array(ChangedFile),
})
export type InstallRecord = z.infer<typeof InstallRecord>

export function readRecord(target: InstallTarget): Result<InstallRecord | undefined, Problem> {
  const text = readSettings(target.recordFile)
  if (!text.ok) return text
  if (text.value === undefined) return ok(undefined)
  const parsed = parseRecord(text.value)
  if (parsed !== undefined) return ok(parsed)
  return err({
    code: 'config_invalid',
    message: 'The record of the installation cannot be read. Nothing was changed.',
    where: target.recordFile,
    next: 'remove the entries of Statewright by hand, then delete this file.',
  })
}

export function keyOf(record: InstallRecord | undefined, target: InstallTarget) {
  return record?.keys.find(({ project }) => project === target.keyProject)
}

/**
 * Another installation that the same client would read as well. Its sessions would be judged twice,
 * by two keys and so in two runs, and a transition would move only one of them.
 */
export function overlapping(target: InstallTarget): InstallRecord | undefined {
  const { installer, scope, clientHome } = target
  return allRecords(dirname(target.recordFile)).find(
    (record) =>
      spokenClient(record.client) === spokenClient(installer.client) &&
      (record.scope !== scope || record.client !== installer.client) &&
      record.client_home === clientHome,
  )
}

/** Every installation that can be read. */
export function allRecords(folder: string): InstallRecord[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^[a-z][a-z-]*-[0-9a-f]+\.json$/.test(name))
    .flatMap((name) => {
      const text = readSettings(join(folder, name))
      return parseRecord(text.ok ? (text.value ?? '') : '') ?? []
    })
}

function parseRecord(text: string): InstallRecord | undefined {
  const parsed = InstallRecord.safeParse(withKeys(parseOrNothing(text)))
  return parsed.success ? parsed.data : undefined
}

/** Older versions had one key, for every folder, beside the rest. */
function withKeys(record: unknown): unknown {
  if (!isJsonObject(record) || record.keys !== undefined) return record
  const { url, token, hook_token, token_id, ...rest } = record
  const key = { url, token, ...(hook_token === undefined ? {} : { hook_token }), token_id }
  return { ...rest, keys: [key] }
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
