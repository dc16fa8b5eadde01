import {
  err,
  isUnreadable,
  ok,
  type PatchFile,
  parsePatch,
  type Result,
  textOf as wordsOf,
} from '@statewright/core/internal'
import { z } from 'zod'
import { applyHunks } from './patch-text.ts'
import { defineTool, errorResult, faultResult, refusalResult, textResult } from './tool.ts'
import { deleteFile, readText, writeText } from './workspace/files.ts'
import { type PathFault, pathFault } from './workspace/path-fault.ts'
import { pathInside, type Workspace } from './workspace/workspace.ts'

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Applies a patch to files: between "*** Begin Patch" and "*** End Patch", or a unified diff.',
  input: z.strictObject({ patch: z.string().min(1) }),
  isMutating: true,
  async run({ patch }, { workspace }) {
    // The very reader that the decision function used: what was judged is what is applied.
    const files = parsePatch(patch)
    if (isUnreadable(files)) return refusalResult('patch_unreadable', wordsOf(files.unreadable))
    const planned = await plan(workspace, files)
    if (!planned.ok) return faultResult(planned.error)
    const done: string[] = []
    for (const [path, text] of planned.value) {
      const change = text === null ? deleteFile(workspace, path) : writeText(workspace, path, text)
      const changed = await change
      if (!changed.ok) {
        const before = done.length === 0 ? '' : ` Done before that: ${done.join(', ')}.`
        return errorResult(changed.error.code, changed.error.message + before)
      }
      done.push(path)
    }
    return textResult(`Applied to ${done.join(', ')}.`)
  },
})

/** Texts of files by path; null stands for a file that is not there. */
type Texts = Map<string, string | null>

/** What each file will hold. Nothing is written before all of the patch is known to fit. */
async function plan(
  workspace: Workspace,
  files: readonly PatchFile[],
): Promise<Result<Texts, PathFault>> {
  const texts: Texts = new Map()
  for (const file of files) {
    const step = await planFile(workspace, file, texts)
    if (!step.ok) return step
  }
  return ok(texts)
}

async function planFile(
  workspace: Workspace,
  file: PatchFile,
  texts: Texts,
): Promise<Result<null, PathFault>> {
  const old = await textOf(workspace, file.path, texts)
  if (!old.ok) return old
  if (file.op === 'create') {
    if (old.value !== null) return err(pathFault('already_exists', `${file.path} exists already.`))
    texts.set(file.path, file.text)
    return ok(null)
  }
  if (old.value === null) return err(pathFault('not_found', `There is no ${file.path}.`))
  if (file.op === 'delete') {
    texts.set(file.path, null)
    return ok(null)
  }
  const changed = applyHunks(old.value, file.body)
  if (!changed.ok) {
    return err(
      pathFault('patch_does_not_fit', `The patch does not fit ${file.path}: ${changed.error}.`),
    )
  }
  if (file.to !== undefined) {
    const there = await textOf(workspace, file.to, texts)
    if (!there.ok) return there
    if (there.value !== null) return err(pathFault('already_exists', `${file.to} exists already.`))
    texts.set(file.path, null)
  }
  texts.set(file.to ?? file.path, changed.value)
  return ok(null)
}

async function textOf(
  workspace: Workspace,
  path: string,
  texts: Texts,
): Promise<Result<string | null, PathFault>> {
  const planned = texts.get(path)
  if (planned !== undefined) return ok(planned)
  const inside = pathInside(workspace, path)
  if (!inside.ok) return inside
  const read = await readText(workspace, path)
  if (read.ok) return read
  return read.error.code === 'not_found' ? ok(null) : read
}
