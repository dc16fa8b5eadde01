import { isJsonObject } from '../base/json.ts'
import { judgedTool, type ToolRef } from '../call/tool-names.ts'

/** Names that clients have for the file, or files, that a tool reads. */
const fileFields = [
  'file_path',
  'path',
  'filePath',
  'absolute_path',
  'target_file',
  'notebook_path',
]
const listFields = ['paths', 'file_paths', 'files']

/**
 * The files that a call reads, as its input names them. Null for one that goes through folders, or
 * whose input does not tell: which files it reads is not known then. Undefined where it reads none.
 */
export function filesRead(ref: ToolRef, input: unknown): readonly string[] | null | undefined {
  const judged = judgedTool(ref)
  if (judged === 'Grep') return null
  if (judged !== 'Read') return undefined
  if (!isJsonObject(input)) return null
  const single = fileFields.flatMap((field) => {
    const value = input[field]
    return typeof value === 'string' ? [value] : []
  })
  const listed = listFields.flatMap((field) => {
    const value = input[field]
    return Array.isArray(value) ? value : []
  })
  const all = [...single, ...listed]
  const names = all.filter((one) => typeof one === 'string')
  if (names.length === 0 || names.length < all.length) return null
  // A pattern stands for files that only the tool itself finds.
  return names.some((one) => /[*?{[]/.test(one)) ? null : names
}
