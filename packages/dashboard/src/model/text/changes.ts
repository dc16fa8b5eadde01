import { parseText } from './yaml-edit.ts'

/** A field that differs between two definitions. Undefined where it is not written. */
export interface FieldChange {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const maxChanges = 60

/**
 * What differs between two texts by what they say, not by how they are written: a file that was
 * only put into another format has no changes. Undefined where one of them cannot be read.
 */
export function changesBetween(before: string, after: string): readonly FieldChange[] | undefined {
  const [old, fresh] = [parseText(before), parseText(after)]
  if (old === undefined || fresh === undefined) return undefined
  const changes: FieldChange[] = []
  collect(changes, [], old.value, fresh.value)
  return changes.slice(0, maxChanges)
}

function collect(
  changes: FieldChange[],
  path: readonly string[],
  before: unknown,
  after: unknown,
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  if (!isRecord(before) || !isRecord(after)) {
    changes.push({ path: path.join('.'), before: shown(before), after: shown(after) })
    return
  }
  const old = new Map(Object.entries(before))
  const fresh = new Map(Object.entries(after))
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    collect(changes, [...path, name], old.get(name), fresh.get(name))
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  const isFlat = value.every((one) => typeof one !== 'object')
  return isFlat ? value.join(', ') || 'none' : JSON.stringify(value)
}
