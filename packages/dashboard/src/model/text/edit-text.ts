import { sameValue, withField } from './field-value.ts'
import { setJsonField } from './json-edit.ts'
import { parseText, setByDocument, setYamlField } from './yaml-edit.ts'

/** The names from the top of a definition down to one field of it. */
export type FieldPath = readonly string[]

export function isJsonText(text: string): boolean {
  return /^\s*[[{"]/.test(text)
}

/**
 * Writes one field into the text of a definition and leaves the rest as its author wrote it,
 * comments and spacing included; `undefined` takes it out. Null when the text cannot be read.
 */
export function setField(text: string, path: FieldPath, value: unknown): string | null {
  const before = parseText(text)
  if (before === undefined) return null
  const wanted = withField(before.value, path, value)
  const tries = isJsonText(text) ? [setJsonField] : [setYamlField, setByDocument]
  for (const attempt of tries) {
    const edited = attempt(text, path, value)
    // Splicing text is only trusted when reading it back gives exactly what was meant.
    if (edited !== null && sameValue(parseText(edited)?.value, wanted)) return edited
  }
  return null
}

/** Adds entries to a list, which is begun where there is none; nothing is doubled. */
export function addToList(
  text: string,
  path: FieldPath,
  entries: readonly string[],
): string | null {
  const read = parseText(text)
  if (read === undefined) return null
  const before = fieldOf(read.value, path)
  const list = Array.isArray(before) ? before : []
  const added = entries.filter((entry) => !list.includes(entry))
  return added.length === 0 ? text : setField(text, path, [...list, ...added])
}

export function fieldOf(value: unknown, path: FieldPath): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Object.getOwnPropertyDescriptor(found, name)?.value
  }
  return found
}

/** What the text says at a place, however it is written; undefined when it cannot be read. */
export function readField(text: string, path: FieldPath): unknown {
  const read = parseText(text)
  return read === undefined ? undefined : fieldOf(read.value, path)
}
