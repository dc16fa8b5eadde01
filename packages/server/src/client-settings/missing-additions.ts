import { isJsonObject, stableText, unreachable } from '@statewright/core/internal'
import type { Undo } from './edit-file.ts'
import { valueAt } from './json-text.ts'

/** What `install` put into a file and no longer stands there, each in a few words. */
export function missingAdditions(text: string | undefined, undo: Undo): string[] {
  if (text === undefined) return ['the file']
  switch (undo.kind) {
    case 'whole':
      return text === undo.text ? [] : ['the file as it was written']
    case 'toml':
      return undo.blocks.filter((block) => !text.includes(block.text.trim())).map(nameOf)
    case 'json': {
      const document = parse(text)
      if (document === undefined) return ['readable JSON']
      return undo.additions
        .filter((part) => !part.isContainer && !stands(document, part))
        .map(nameOf)
    }
    default:
      return unreachable(undo)
  }
}

/**
 * What was put into a file, without the containers around it: a client that writes into the file
 * too changes which of those are ours.
 */
export function ownPieces(undo: Undo): readonly unknown[] {
  switch (undo.kind) {
    case 'whole':
      return [undo.text]
    case 'toml':
      return undo.blocks.map(({ path, text }) => ({ path, text: text.trim() }))
    case 'json':
      return undo.additions
        .filter((part) => !part.isContainer && part.isFormat !== true && part.ifMissing !== true)
        .map(({ path, key, value }) => ({ path, key, value }))
    default:
      return unreachable(undo)
  }
}

interface Part {
  readonly path: readonly string[]
  readonly key?: string | null
  readonly value?: unknown
}

function nameOf({ path, key }: Part): string {
  return [...path, ...(typeof key === 'string' ? [key] : [])].join('.')
}

function stands(document: unknown, { path, key, value }: Part): boolean {
  const holder = valueAt(document, path)
  const wanted = stableText(value)
  if (key === null) {
    return Array.isArray(holder) && holder.some((item) => stableText(item) === wanted)
  }
  if (key === undefined || !isJsonObject(holder) || !Object.hasOwn(holder, key)) return false
  return stableText(holder[key]) === wanted
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
