import { isDeepStrictEqual } from 'node:util'
import { err, ok, type Result } from '@statewright/core/internal'
import { parse, TomlError, type TomlTable } from 'smol-toml'

export type TomlPath = readonly string[]

/** What a TOML text says, or why it cannot be read. */
export function readToml(text: string): Result<TomlTable, string> {
  try {
    // A byte order mark may stand before everything.
    return ok(parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' }))
  } catch (fault) {
    if (!(fault instanceof TomlError)) throw fault
    // What follows are lines of the file, in which there may be secrets.
    return err(`line ${fault.line}: ${fault.message.split('\n', 1)[0]}`)
  }
}

/** What is in the way of a table: one of that very name, or something above it that is none. */
export function takenPath(document: TomlTable, path: TomlPath): TomlPath | undefined {
  let table = document
  for (const [index, key] of path.entries()) {
    if (!Object.hasOwn(table, key)) return undefined
    const next = tableOf(table[key])
    if (next === undefined) return path.slice(0, index + 1)
    table = next
  }
  return path
}

/** Whether a line is the header of the table at a path. */
export function isHeaderOf(line: string, path: TomlPath): boolean {
  const read = readToml(line)
  if (!read.ok) return false
  let table: TomlTable | undefined = read.value
  for (const key of path) {
    if (table === undefined || !Object.hasOwn(table, key)) return false
    table = tableOf(table[key])
  }
  return table !== undefined && Object.keys(table).length === 0
}

/** Whether two texts say the same of everything but what is at a path. */
export function isSameBeside(before: string, after: string, path: TomlPath): boolean {
  const [left, right] = [readToml(before), readToml(after)]
  if (!left.ok || !right.ok) return false
  drop(left.value, path)
  drop(right.value, path)
  return isDeepStrictEqual(left.value, right.value)
}

/** Takes away what is at a path, and the tables above that hold nothing else. */
function drop(table: TomlTable, [key = '', ...rest]: TomlPath): void {
  const inner = tableOf(table[key])
  if (rest.length > 0) {
    if (inner === undefined) return
    drop(inner, rest)
    if (Object.keys(inner).length > 0) return
  }
  delete table[key]
}

function tableOf(value: TomlTable[string] | undefined): TomlTable | undefined {
  const isTable = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
  // What is neither a list nor a date nor a plain value is a table.
  return isTable ? (value as TomlTable) : undefined
}
