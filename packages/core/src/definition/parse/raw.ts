import { isJsonObject } from '../../base/json.ts'
import { own } from '../../base/own.ts'
import type { Path } from '../finding.ts'

/** What stands at a path of a value that was not checked yet. */
export function rawAt(value: unknown, path: Path): unknown {
  let at = value
  for (const segment of path) {
    if (Array.isArray(at) && typeof segment === 'number') at = at[segment]
    else if (isJsonObject(at)) at = own(at, String(segment))
    else return undefined
  }
  return at
}

/** The members of an unchecked value, or none when it is no object. */
export function rawMembers(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : []
}
