import {
  err,
  isJsonObject,
  type Json,
  ok,
  type Problem,
  type Result,
  stableText,
} from '@statewright/core/internal'
import {
  addPart,
  hasTwins,
  insideIfEmpty,
  type JsonPath,
  removePart,
  valueAt,
} from './json-text.ts'
import { brokenSettings, takenSettings } from './settings-problem.ts'

/** Something that is to stand in a settings file: a member of an object, or an item of a list. */
export interface SettingsEntry {
  /** The object or list it belongs into; what is missing on the way is made. */
  readonly path: readonly string[]
  /** Its key in an object; null for an item of a list. */
  readonly key: string | null
  readonly value: Json
  /** A member that the file needs and may have already; what is there stays. */
  readonly ifMissing?: boolean
  /** The client reads no file without it, so that it stays while others have anything there. */
  readonly isFormat?: boolean
}

/** What was added, so that exactly this can be taken away again. */
export interface Addition extends SettingsEntry {
  /** An object or list that we made; it goes only when nothing else has moved in. */
  readonly isContainer: boolean
  /** What stood between the brackets when they were empty. */
  readonly emptyInside?: string
}

export interface Added {
  readonly text: string
  readonly additions: readonly Addition[]
}

/** Adds what is wanted to a settings file, or says why that file must be left alone. */
export function addAll(
  text: string,
  entries: readonly SettingsEntry[],
  where: string,
): Result<Added, Problem> {
  const broken = whyBroken(text, where)
  if (broken !== undefined) return err(broken)
  const additions: Addition[] = []
  let now = text
  const add = (addition: SettingsEntry, isContainer: boolean) => {
    const emptyInside = insideIfEmpty(now, addition.path)
    additions.push({
      ...addition,
      isContainer,
      ...(emptyInside === undefined ? {} : { emptyInside }),
    })
    now = addPart(now, addition.path, addition.key, addition.value)
  }
  for (const one of entries) {
    for (let depth = 1; depth <= one.path.length; depth++) {
      const path = one.path.slice(0, depth)
      const isList = depth === one.path.length && one.key === null
      const there = valueAt(JSON.parse(now), path)
      if (there === undefined) {
        add({ path: path.slice(0, -1), key: path[depth - 1] ?? '', value: isList ? [] : {} }, true)
      } else if (isList ? !Array.isArray(there) : !isJsonObject(there)) {
        return err(unusable(where, path, isList ? 'a list' : 'an object'))
      }
    }
    if (one.key !== null && valueAt(JSON.parse(now), [...one.path, one.key]) !== undefined) {
      if (one.ifMissing === true) continue
      return err(takenSettings(where, [...one.path, one.key]))
    }
    add(one, false)
  }
  return ok({ text: now, additions })
}

/** Takes additions away again, whatever a person has changed around them since. */
export function takeAway(
  text: string,
  additions: readonly Addition[],
  where: string,
): Result<string, Problem> {
  const broken = whyBroken(text, where)
  if (broken !== undefined) return err(broken)
  let now = text
  for (const addition of [...additions].reverse()) {
    const path = pathOf(JSON.parse(now), addition)
    if (path === undefined) continue
    if (addition.isContainer && !isEmpty(valueAt(JSON.parse(now), path))) continue
    now = removePart(now, path, addition.emptyInside)
  }
  return ok(now)
}

function pathOf(document: unknown, { path, key, value }: Addition): JsonPath | undefined {
  if (key !== null) {
    const at = [...path, key]
    return valueAt(document, at) === undefined ? undefined : at
  }
  const list = valueAt(document, path)
  if (!Array.isArray(list)) return undefined
  const index = list.findIndex((item) => stableText(item) === stableText(value))
  return index < 0 ? undefined : [...path, index]
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : isJsonObject(value) && Object.keys(value).length === 0
}

function whyBroken(text: string, where: string): Problem | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (fault) {
    return brokenSettings(where, fault instanceof Error ? fault.message : 'not JSON')
  }
  if (!isJsonObject(value)) return brokenSettings(where, 'it is not an object')
  return hasTwins(text) ? brokenSettings(where, 'a key appears in it twice') : undefined
}

function unusable(where: string, path: JsonPath, wanted: string): Problem {
  return brokenSettings(where, `${path.join('.')} is not ${wanted}`)
}
