import { type JsonObject, jsonEqual } from '../base/json.ts'
import { own } from '../base/own.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'

/** How the clients spell the fields of their edit tools. */
const spellings = {
  path: ['file_path', 'filePath', 'path', 'target_file', 'notebook_path', 'notebookPath'],
  oldText: ['old_string', 'oldString', 'old_str', 'oldStr', 'old_text', 'oldText'],
  newText: ['new_string', 'newString', 'new_str', 'newStr', 'new_text', 'newText'],
  content: ['content', 'contents', 'file_text', 'fileText'],
  inserted: ['insert_text', 'insertText'],
  sketch: ['code_edit', 'codeEdit'],
  edits: ['edits', 'replacements'],
  patch: ['patch', 'patchText', 'patch_text', 'diff'],
} as const

export type EditField = keyof typeof spellings

/** Flags by which a client replaces every place and not only the first. */
const replaceAllFields = ['replace_all', 'replaceAll', 'allow_multiple', 'allowMultiple']

export function editField(input: JsonObject, field: EditField): unknown {
  for (const name of spellings[field]) {
    const value = own(input, name)
    if (value !== undefined) return value
  }
  return undefined
}

/** A field that holds text; anything else in it counts as missing. */
export function editText(input: JsonObject, field: EditField): string | undefined {
  const value = editField(input, field)
  return typeof value === 'string' ? value : undefined
}

export function replacesAll(input: JsonObject): boolean {
  const expected = own(input, 'expected_replacements')
  if (typeof expected === 'number' && expected > 1) return true
  // A flag written as text is true for some clients.
  return replaceAllFields.some((name) => {
    const value = own(input, name)
    return value !== undefined && value !== null && value !== false
  })
}

/**
 * A field given in two spellings with two values. The client reads one of them and we cannot know
 * which, so a harmless one could hide the other.
 */
export function doubledField(input: JsonObject): Phrase | undefined {
  for (const names of Object.values(spellings)) {
    const present = names.filter((name) => own(input, name) !== undefined)
    const [first, ...others] = present
    if (first === undefined) continue
    const differs = others.find((name) => !jsonEqual(own(input, name), own(input, first)))
    if (differs !== undefined) return phrase('edit_fields_disagree', { first, differs })
  }
  return undefined
}
