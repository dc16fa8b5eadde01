import { applyEdits, modify } from 'jsonc-parser'
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

/** A copy with one field set, or taken out where the value is undefined. */
function withField(whole: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  const members = isRecord(whole) ? Object.entries(whole) : []
  const before = members.find(([key]) => key === name)?.[1]
  if (value === undefined && before === undefined) return whole
  const inner = rest.length === 0 ? value : withField(before, rest, value)
  if (inner === undefined) return fromEntries(members.filter(([key]) => key !== name))
  if (before === undefined && !members.some(([key]) => key === name)) {
    return fromEntries([...members, [name, inner]])
  }
  return fromEntries(members.map(([key, member]) => [key, key === name ? inner : member]))
}

function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Not by assignment: a member may be called `__proto__`. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries)
}

/** Sets a field in a JSON text; only the lines around it change. */
function setJsonField(text: string, path: readonly string[], value: unknown): string | null {
  const formattingOptions = { insertSpaces: true, tabSize: stepOf(text), eol: '\n' }
  try {
    return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
  } catch {
    // It throws where the path leads through something that is no object.
    return null
  }
}

/** How far the first member stands in. */
function stepOf(text: string): number {
  return /\n( +)\S/.exec(text)?.[1]?.length ?? 2
}
