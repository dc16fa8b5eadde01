import { z } from 'zod'
import { defineTool, faultResult, Path, refusalResult, textResult } from './tool.ts'
import { readText, writeText } from './workspace/files.ts'

export const editFile = defineTool({
  name: 'edit_file',
  description: 'Replaces a text in a file. The old text must occur exactly once, or replace_all.',
  input: z.strictObject({
    path: Path,
    old_string: z.string().min(1),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  isMutating: true,
  async run({ path, old_string, new_string, replace_all }, { workspace }) {
    const read = await readText(workspace, path)
    if (!read.ok) return faultResult(read.error)
    const pieces = read.value.split(old_string)
    const occurrences = pieces.length - 1
    if (occurrences === 0) return refusalResult('text_not_found', `The old text is not in ${path}.`)
    if (occurrences > 1 && replace_all !== true) {
      return refusalResult(
        'text_not_unique',
        `The old text occurs ${occurrences} times in ${path}.`,
      )
    }
    const written = await writeText(workspace, path, pieces.join(new_string))
    if (!written.ok) return faultResult(written.error)
    return textResult(
      `Replaced ${occurrences === 1 ? 'one place' : `${occurrences} places`} in ${path}.`,
    )
  },
})

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Writes a whole file; missing folders are created.',
  input: z.strictObject({ path: Path, content: z.string() }),
  isMutating: true,
  async run({ path, content }, { workspace }) {
    const written = await writeText(workspace, path, content)
    if (!written.ok) return faultResult(written.error)
    return textResult(`${written.value === 'created' ? 'Created' : 'Wrote'} ${path}.`)
  },
})
