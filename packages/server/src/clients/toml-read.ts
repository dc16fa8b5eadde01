import { err, ok, type Result } from '@statewright/core'

/** Something that a TOML text defines, and where its statement lies. */
export interface TomlPart {
  readonly kind: 'table' | 'list' | 'value'
  /** The full name: keys under a header carry the header's name in front. */
  readonly path: readonly string[]
  readonly start: number
  /** Behind the statement, before what follows on its line. */
  readonly end: number
}

/**
 * Reads where things stand in a TOML text, or says why it cannot be read. It need not know what
 * values mean, only where they end: a header inside a string is none.
 */
export function readToml(text: string): Result<readonly TomlPart[], string> {
  // A byte order mark may stand before everything.
  const cursor: Cursor = { text, at: text.startsWith('\uFEFF') ? 1 : 0 }
  try {
    return ok(readParts(cursor))
  } catch (fault) {
    if (fault instanceof TomlFault) return err(fault.message)
    throw fault
  }
}

interface Cursor {
  readonly text: string
  at: number
}

class TomlFault extends Error {}

const mostDepth = 100
const space = /[ \t]+/y
const spaceAndLines = /(?:[ \t\r\n]+|#[^\n]*)+/y

function readParts(cursor: Cursor): TomlPart[] {
  const parts: TomlPart[] = []
  const seen = new Set<string>()
  let header: readonly string[] = []
  for (;;) {
    take(cursor, spaceAndLines)
    const start = cursor.at
    if (start >= cursor.text.length) return parts
    const part = cursor.text[start] === '[' ? readHeader(cursor) : readPair(cursor, header)
    const { kind, path } = part
    if (kind !== 'value') header = path
    // Keys under an item of a list belong to that item alone.
    if (kind === 'list') forget(seen, path)
    else if (seen.has(JSON.stringify(path))) fail(cursor, `${path.join('.')} only once`)
    else seen.add(JSON.stringify(path))
    parts.push({ ...part, start })
    needLineEnd(cursor)
  }
}

function forget(seen: Set<string>, path: readonly string[]): void {
  const start = `${JSON.stringify(path).slice(0, -1)},`
  for (const name of seen) if (name.startsWith(start)) seen.delete(name)
}

function readHeader(cursor: Cursor): Omit<TomlPart, 'start'> {
  const isList = take(cursor, /\[\[/y)
  if (!isList) need(cursor, /\[/y, 'a header')
  const path = readKey(cursor)
  need(cursor, isList ? /\]\]/y : /\]/y, 'the end of a header')
  return { kind: isList ? 'list' : 'table', path, end: cursor.at }
}

function readPair(cursor: Cursor, header: readonly string[]): Omit<TomlPart, 'start'> {
  const path = [...header, ...readKey(cursor)]
  need(cursor, /=[ \t]*/y, '"="')
  skipValue(cursor, 0)
  return { kind: 'value', path, end: cursor.at }
}

function readKey(cursor: Cursor): string[] {
  const keys: string[] = []
  do {
    take(cursor, space)
    keys.push(match(cursor, /[A-Za-z0-9_-]+/y) ?? readQuoted(cursor))
    take(cursor, space)
  } while (take(cursor, /\./y))
  return keys
}

function readQuoted(cursor: Cursor): string {
  const literal = match(cursor, /'[^'\n]*'/y)
  if (literal !== undefined) return literal.slice(1, -1)
  const basic = match(cursor, /"(?:[^"\\\n]|\\.)*"/y) ?? fail(cursor, 'a key')
  try {
    return String(JSON.parse(basic.replaceAll(/\\U0000([0-9a-fA-F]{4})/g, '\\u$1')))
  } catch {
    return fail(cursor, 'a key')
  }
}

const scalars: readonly RegExp[] = [
  // Up to two more quotes may stand right before the three that end a long string.
  /"""(?:[^\\]|\\[\s\S])*?"""(?:"{1,2}(?!"))?/y,
  /'''[\s\S]*?'''(?:'{1,2}(?!'))?/y,
  /"(?:[^"\\\n]|\\.)*"/y,
  /'[^'\n]*'/y,
  /\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d[0-9:.]*(?:[Zz]|[+-]\d\d:\d\d)?)?/y,
  /\d\d:\d\d[0-9:.]*/y,
  /true|false|[+-]?(?:inf|nan)|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+/y,
  /[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?/y,
]

function skipValue(cursor: Cursor, depth: number): void {
  if (depth > mostDepth) fail(cursor, 'something less deep')
  if (take(cursor, /\[/y)) skipItems(cursor, /\]/y, () => skipValue(cursor, depth + 1))
  else if (take(cursor, /\{/y)) skipItems(cursor, /\}/y, () => skipMember(cursor, depth + 1))
  else if (!scalars.some((pattern) => take(cursor, pattern))) fail(cursor, 'a value')
}

function skipMember(cursor: Cursor, depth: number): void {
  readKey(cursor)
  need(cursor, /=[ \t]*/y, '"="')
  skipValue(cursor, depth)
}

function skipItems(cursor: Cursor, end: RegExp, skipItem: () => void): void {
  for (;;) {
    take(cursor, spaceAndLines)
    if (take(cursor, end)) return
    skipItem()
    take(cursor, spaceAndLines)
    if (take(cursor, /,/y)) continue
    need(cursor, end, 'an end')
    return
  }
}

/** Looks only: the end of a statement is before the comment that stands beside it. */
function needLineEnd(cursor: Cursor): void {
  const end = cursor.at
  need(cursor, /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y, 'the line to end')
  cursor.at = end
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (found !== undefined) cursor.at += found.length
  return found
}

function take(cursor: Cursor, pattern: RegExp): boolean {
  return match(cursor, pattern) !== undefined
}

function need(cursor: Cursor, pattern: RegExp, what: string): void {
  if (!take(cursor, pattern)) fail(cursor, what)
}

function fail({ text, at }: Cursor, wanted: string): never {
  const line = text.slice(0, at).split('\n').length
  throw new TomlFault(`line ${line}: ${wanted} was expected`)
}
