import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { err, ok, type Problem, type Result } from '@statewright/core'
import { z } from 'zod'
import { claudeHooks, claudeMcpServer, type InstallFacts } from '../clients/claude-install.ts'
import { type Addition, addAll, takeAway, type Wanted } from '../clients/settings-text.ts'
import { type Environment, projectRoot, stateHome } from '../config/places.ts'
import { missingFolder, readSettings } from './settings-file.ts'

export type Scope = 'project' | 'user'

/** Where an installation lies: whose settings, and for which project. */
export interface InstallPlace {
  readonly scope: Scope
  readonly project: string | undefined
  /** The client's hooks, and its own list of MCP servers. */
  readonly settingsFile: string
  readonly serversFile: string
  /** What we remember: address and key for the hook command, and what to take away again. */
  readonly recordFile: string
}

export function installPlace(environment: Environment, scope: Scope, folder: string): InstallPlace {
  const home = environment.HOME || homedir()
  const given = environment.CLAUDE_CONFIG_DIR
  const configFolder = given === undefined || given === '' ? join(home, '.claude') : given
  const project = scope === 'project' ? projectRoot(folder) : undefined
  const settingsFile =
    project === undefined
      ? join(configFolder, 'settings.json')
      : // Not `settings.json`, which is shared with everybody who has the repository.
        join(project, '.claude', 'settings.local.json')
  const serversFile = join(given === undefined || given === '' ? home : given, '.claude.json')
  const name = hash('sha256', `${scope}\n${settingsFile}\n${serversFile}`).slice(0, 12)
  const recordFile = join(stateHome(environment), 'installs', `claude-code-${name}.json`)
  return { scope, project, settingsFile, serversFile, recordFile }
}

const AdditionShape = z.strictObject({
  path: z.array(z.string()),
  key: z.string().nullable(),
  value: z.json(),
  isContainer: z.boolean(),
  emptyInside: z.string().optional(),
})

const ChangedFile = z.strictObject({
  path: z.string(),
  /** There was no such file before. */
  created: z.boolean(),
  /** A folder that had to be made for it. */
  folder: z.string().optional(),
  additions: z.array(AdditionShape),
})

export const InstallRecord = z.strictObject({
  client: z.literal('claude-code'),
  scope: z.enum(['project', 'user']),
  project: z.string().optional(),
  url: z.string(),
  token: z.string(),
  token_id: z.string(),
  files: z.array(ChangedFile),
})
export type InstallRecord = z.infer<typeof InstallRecord>

/** A file as it is and as it is to be; undefined means that there is none. */
export interface FileChange {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface InstallPlan {
  readonly changes: readonly FileChange[]
  readonly files: InstallRecord['files']
}

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
  for (const file of recordFiles(dirname(place.recordFile))) {
    if (file === place.recordFile) continue
    const text = readSettings(file)
    const record = InstallRecord.safeParse(parseOrNothing(text.ok ? (text.value ?? '') : ''))
    if (!record.success || record.data.scope === place.scope) continue
    if (record.data.files.some(({ path }) => path === place.serversFile)) return record.data
  }
  return undefined
}

function recordFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^claude-code-[0-9a-f]+\.json$/.test(name))
    .map((name) => join(folder, name))
}

/** What installing would change. An older installation is replaced, never doubled. */
export function planInstall(
  place: InstallPlace,
  old: InstallRecord | undefined,
  server: { readonly url: string; readonly token: string },
): Result<InstallPlan, Problem> {
  const facts: InstallFacts = {
    ...server,
    node: process.execPath,
    hookFile: fileURLToPath(new URL('../../bin/hook.cjs', import.meta.url)),
    keyFile: place.recordFile,
  }
  const wanted: [string, Wanted[]][] = [
    [place.settingsFile, claudeHooks(facts)],
    [place.serversFile, [claudeMcpServer(facts, place.project)]],
  ]
  const changes: FileChange[] = []
  const files: InstallRecord['files'] = []
  for (const [path, entries] of wanted) {
    const read = readSettings(path)
    if (!read.ok) return read
    const known = old?.files.find((file) => file.path === path)
    const clean = withoutOurs(path, read.value, known)
    if (!clean.ok) return clean
    const added = addAll(clean.value ?? '{}\n', entries, path)
    if (!added.ok) return added
    changes.push({ path, before: read.value, after: added.value.text })
    const folder = known === undefined ? missingFolder(path) : known.folder
    files.push({
      path,
      created: clean.value === undefined,
      ...(folder === undefined ? {} : { folder }),
      additions: added.value.additions.map(plain),
    })
  }
  return ok({ changes, files })
}

export function planUninstall(record: InstallRecord): Result<readonly FileChange[], Problem> {
  const changes: FileChange[] = []
  for (const file of record.files) {
    const read = readSettings(file.path)
    if (!read.ok) return read
    const clean = withoutOurs(file.path, read.value, file)
    if (!clean.ok) return clean
    changes.push({ path: file.path, before: read.value, after: clean.value })
  }
  return ok(changes)
}

function withoutOurs(
  path: string,
  text: string | undefined,
  file: InstallRecord['files'][number] | undefined,
): Result<string | undefined, Problem> {
  if (text === undefined || file === undefined) return ok(text)
  const clean = takeAway(text, file.additions.map(asAddition), path)
  if (!clean.ok) return clean
  const isOurs = file.created && Object.keys(JSON.parse(clean.value)).length === 0
  return ok(isOurs ? undefined : clean.value)
}

function asAddition({ emptyInside, ...rest }: z.infer<typeof AdditionShape>): Addition {
  return { ...rest, ...(emptyInside === undefined ? {} : { emptyInside }) }
}

function plain(addition: Addition): z.infer<typeof AdditionShape> {
  return AdditionShape.parse(addition)
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
