import { hash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core'
import { z } from 'zod'
import { Undo } from '../clients/edit-file.ts'
import type { Installer, Scope, Surroundings } from '../clients/installer.ts'
import { spokenClient } from '../clients/installers.ts'
import { type Environment, projectRoot, stateHome } from '../config/places.ts'
import { readSettings, writeSettings } from './settings-file.ts'

/** Where an installation lies, and where we remember it. */
export interface InstallPlace extends Surroundings {
  readonly installer: Installer
  /** What tells the client's own settings from another's. */
  readonly clientHome: string
  /** Address and key for the hook command, and what to take away again. */
  readonly recordFile: string
}

export function installPlace(
  installer: Installer,
  environment: Environment,
  scope: Scope,
  folder: string,
): InstallPlace {
  const place: Surroundings = {
    scope,
    project: scope === 'project' ? projectRoot(folder) : undefined,
    home: environment.HOME || homedir(),
    environment,
  }
  const clientHome = installer.homeOf(place)
  const name = hash('sha256', `${scope}\n${clientHome}\n${place.project ?? ''}`).slice(0, 12)
  const recordFile = join(installsFolder(environment), `${installer.client}-${name}.json`)
  return { ...place, installer, clientHome, recordFile }
}

export function installsFolder(environment: Environment): string {
  return join(stateHome(environment), 'installs')
}

/**
 * The name under which the server knows this installation, however often its key is made anew. It
 * is told apart from those of other users and machines, whose folders may have the same names.
 */
export function installationName(place: InstallPlace): Result<string, Problem> {
  const file = join(dirname(place.recordFile), 'id')
  const known = readSettings(file)
  if (!known.ok) return known
  const id = known.value?.trim() || randomUUID()
  const kept = known.value === undefined ? writeSettings(file, `${id}\n`) : ok(undefined)
  return kept.ok ? ok(`${id} ${basename(place.recordFile, '.json')}`) : kept
}

const ChangedFile = z.strictObject({
  path: z.string(),
  /** There was no such file before. */
  created: z.boolean(),
  /** A folder that had to be made for it. */
  folder: z.string().optional(),
  undo: Undo,
})

export const InstallRecord = z.strictObject({
  client: z.string(),
  scope: z.enum(['project', 'user']),
  project: z.string().optional(),
  client_home: z.string(),
  url: z.string(),
  token: z.string(),
  hook_token: z.string().optional(),
  token_id: z.string(),
  files: z.array(ChangedFile),
})
export type InstallRecord = z.infer<typeof InstallRecord>

export function readRecord(place: InstallPlace): Result<InstallRecord | undefined, Problem> {
  const text = readSettings(place.recordFile)
  if (!text.ok) return text
  if (text.value === undefined) return ok(undefined)
  const parsed = InstallRecord.safeParse(parseOrNothing(text.value))
  if (parsed.success) return ok(parsed.data)
  return err({
    code: 'config_invalid',
    message: 'What was remembered of the installation cannot be read; nothing was changed.',
    where: place.recordFile,
    next: 'remove our entries by hand, and then this file.',
  })
}

/**
 * Another installation that the same client would read as well. Its sessions would be judged twice,
 * by two keys and so in two runs, and a transition would move only one of them.
 */
export function overlapping(place: InstallPlace): InstallRecord | undefined {
  const { installer, scope, clientHome } = place
  return allRecords(dirname(place.recordFile)).find(
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
      const record = InstallRecord.safeParse(parseOrNothing(text.ok ? (text.value ?? '') : ''))
      return record.success ? [record.data] : []
    })
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
