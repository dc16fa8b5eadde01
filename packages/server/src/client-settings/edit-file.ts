import { err, ok, type Problem, type Result, unreachable } from '@statewright/core/internal'
import { z } from 'zod'
import type { FileEdit } from './installer.ts'
import { takenSettings } from './settings-problem.ts'
import { type Addition, addAll, takeAway } from './settings-text.ts'
import { addTables, takeTables } from './toml-text.ts'

const AdditionShape = z.strictObject({
  path: z.array(z.string()),
  key: z.string().nullable(),
  value: z.json(),
  isContainer: z.boolean(),
  emptyInside: z.string().optional(),
  ifMissing: z.boolean().optional(),
  isFormat: z.boolean().optional(),
})

/** What was put into a file, as it is remembered until it is taken away again. */
export const Undo = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('json'), additions: z.array(AdditionShape) }),
  z.strictObject({
    kind: z.literal('toml'),
    blocks: z.array(z.strictObject({ path: z.array(z.string()), text: z.string() })),
  }),
  z.strictObject({ kind: z.literal('whole'), text: z.string() }),
])
export type Undo = z.infer<typeof Undo>

export interface Edited {
  readonly text: string
  readonly undo: Undo
}

/** Puts what is wanted into a file's text, or says why that file must be left alone. */
export function editFile(
  text: string | undefined,
  edit: FileEdit,
  earlier: ReadonlyMap<string, string>,
): Result<Edited, Problem> {
  switch (edit.kind) {
    case 'json': {
      const added = addAll(text ?? '{}\n', edit.entries, edit.path)
      if (!added.ok) return added
      const additions = added.value.additions.map((one) => AdditionShape.parse(one))
      return ok({ text: added.value.text, undo: { kind: 'json', additions } })
    }
    case 'toml': {
      const added = addTables(text ?? '', edit.tables(earlier), edit.path)
      if (!added.ok) return added
      const blocks = added.value.blocks.map((one) => ({ path: [...one.path], text: one.text }))
      return ok({ text: added.value.text, undo: { kind: 'toml', blocks } })
    }
    case 'whole':
      if (text !== undefined) return err(takenSettings(edit.path, ['the file']))
      return ok({ text: edit.text, undo: { kind: 'whole', text: edit.text } })
    default:
      return unreachable(edit)
  }
}

/** Takes away what was put in. Undefined when nothing is left of a file that we made. */
export function undoEdit(
  text: string,
  file: { readonly path: string; readonly created: boolean; readonly undo: Undo },
): Result<string | undefined, Problem> {
  const { path, undo } = file
  switch (undo.kind) {
    case 'json': {
      const clean = takeAway(text, undo.additions.map(asAddition), path)
      if (!clean.ok || !file.created) return clean
      if (Object.keys(JSON.parse(clean.value)).length === 0) return ok(undefined)
      // Others have moved in, and the file still needs what every such file has.
      const rest = undo.additions.filter((one) => one.isFormat !== true)
      return takeAway(text, rest.map(asAddition), path)
    }
    case 'toml': {
      const clean = takeTables(text, undo.blocks, path)
      if (!clean.ok) return clean
      return ok(file.created && clean.value.trim() === '' ? undefined : clean.value)
    }
    case 'whole':
      return text === undo.text ? ok(undefined) : err(changedSince(path))
    default:
      return unreachable(undo)
  }
}

/** What a person has put into our file is theirs; only they can say what becomes of it. */
function changedSince(where: string): Problem {
  return {
    code: 'config_invalid',
    message: 'This file was changed after Statewright wrote it, so it was left as it is.',
    where,
    next: 'remove it by hand and try again.',
  }
}

function asAddition(stored: z.infer<typeof AdditionShape>): Addition {
  const { path, key, value, isContainer, emptyInside } = stored
  const plain = { path, key, value, isContainer }
  return emptyInside === undefined ? plain : { ...plain, emptyInside }
}
