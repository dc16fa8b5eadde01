import { ok, type Problem, type Result } from '@statewright/core/internal'
import { editFile, undoEdit } from '../../client-settings/edit-file.ts'
import type { InstallFacts } from '../../client-settings/installer.ts'
import { commandFile, hookProgram } from '../../home/hook-program.ts'
import { missingFolder, readSettings } from '../config/settings-file.ts'
import type { InstallRecord, InstallTarget } from './record.ts'

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

/** What installing would change. An older installation is replaced, never doubled. */
export function planInstall(
  target: InstallTarget,
  old: InstallRecord | undefined,
): Result<InstallPlan, Problem> {
  const changes: FileChange[] = []
  const files: InstallRecord['files'] = []
  const texts = new Map<string, string>()
  for (const edit of target.installer.files(target, factsFor(target))) {
    const { path } = edit
    const read = readSettings(path)
    if (!read.ok) return read
    const known = old?.files.find((file) => file.path === path)
    const clean = withoutOurs(read.value, known)
    if (!clean.ok) return clean
    const edited = editFile(clean.value, edit, texts)
    if (!edited.ok) return edited
    const { text, undo } = edited.value
    texts.set(path, text)
    changes.push({ path, before: read.value, after: text })
    const folder = known === undefined ? missingFolder(path) : known.folder
    files.push({
      path,
      created: clean.value === undefined,
      ...(folder === undefined ? {} : { folder }),
      undo,
    })
  }
  return ok({ changes, files })
}

function factsFor(target: InstallTarget): InstallFacts {
  return {
    node: process.execPath,
    hookFile: hookProgram(target.environment).hookFile,
    commandFile: commandFile(),
    keyFile: target.recordFile,
  }
}

export function planUninstall(record: InstallRecord): Result<readonly FileChange[], Problem> {
  const changes: FileChange[] = []
  for (const file of record.files) {
    const read = readSettings(file.path)
    if (!read.ok) return read
    const clean = withoutOurs(read.value, file)
    if (!clean.ok) return clean
    changes.push({ path: file.path, before: read.value, after: clean.value })
  }
  return ok(changes)
}

function withoutOurs(
  text: string | undefined,
  file: InstallRecord['files'][number] | undefined,
): Result<string | undefined, Problem> {
  return text === undefined || file === undefined ? ok(text) : undoEdit(text, file)
}
