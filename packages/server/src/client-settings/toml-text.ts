import {
  err,
  isJsonObject,
  type Json,
  ok,
  type Problem,
  type Result,
} from '@statewright/core/internal'
import type { TomlTable } from './installer.ts'
import { brokenSettings, takenSettings } from './settings-problem.ts'
import { isHeaderOf, isSameBeside, readToml, type TomlPath, takenPath } from './toml-read.ts'

/**
 * Changes TOML as text, so that words and order of a person's file stay as they are. A reader
 * proves each time that nothing but our tables has changed.
 */

/** A table that was put at the end of a text, so that exactly this can be taken away again. */
export interface TomlBlock {
  readonly path: TomlPath
  readonly text: string
}

export interface TomlAdded {
  readonly text: string
  readonly blocks: readonly TomlBlock[]
}

/** Puts tables at the end, where they can change the meaning of nothing that is there. */
export function addTables(
  text: string,
  tables: readonly TomlTable[],
  where: string,
): Result<TomlAdded, Problem> {
  const before = readToml(text)
  if (!before.ok) return err(brokenSettings(where, before.error))
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const blocks: TomlBlock[] = []
  let now = text
  for (const table of tables) {
    const taken = takenPath(before.value, table.path)
    if (taken !== undefined) return err(takenSettings(where, taken))
    const block = `${leadOf(now, lineEnd)}${tableText(table, lineEnd)}`
    // Some tables can be written in one place only, and may not grow from another.
    if (!isSameBeside(now, now + block, table.path)) {
      return err(takenSettings(where, table.path.slice(0, -1)))
    }
    blocks.push({ path: table.path, text: block })
    now += block
  }
  return ok({ text: now, blocks })
}

/** An empty line before the table, and an end to a last line that has none. */
function leadOf(text: string, lineEnd: string): string {
  if (text === '' || text === '\uFEFF') return ''
  return text.endsWith('\n') ? lineEnd : lineEnd + lineEnd
}

function tableText({ path, values }: TomlTable, lineEnd: string): string {
  const pairs = Object.entries(values).map(([key, value]) => `${keyText(key)} = ${toml(value)}`)
  return [`[${path.map(keyText).join('.')}]`, ...pairs, ''].join(lineEnd)
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key)
}

function toml(value: Json): string {
  if (typeof value === 'string') return stringText(value)
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`
  if (!isJsonObject(value)) return String(value)
  const pairs = Object.entries(value).map(([key, item]) => `${keyText(key)} = ${toml(item)}`)
  return `{ ${pairs.join(', ')} }`
}

/** JSON writes strings as TOML reads them, but for the one control character it leaves alone. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

/** Takes tables away again, whatever a person or the client has changed around them since. */
export function takeTables(
  text: string,
  blocks: readonly TomlBlock[],
  where: string,
): Result<string, Problem> {
  let now = text
  for (const block of [...blocks].reverse()) {
    const read = readToml(now)
    if (!read.ok) return err(brokenSettings(where, read.error))
    const before = now
    const without = [withoutBlock(before, block), ...withoutTable(before, block)].find(
      (after) => after !== undefined && isSameBeside(before, after, block.path),
    )
    now = without ?? now
  }
  return ok(now)
}

function withoutBlock(text: string, block: TomlBlock): string | undefined {
  const at = text.indexOf(block.text)
  const end = at + block.text.length
  if (at < 0 || !endsThere(text, end)) return undefined
  // The line end before our empty line is still needed when something follows.
  const lead = /^\r?\n(?=\r?\n)/.exec(block.text)?.[0] ?? ''
  const keepsLead = lead !== '' && end < text.length && !text.startsWith('\n', at - 1)
  return text.slice(0, at + (keepsLead ? lead.length : 0)) + text.slice(end)
}

/** The client writes more keys into its tables; then the block goes on behind what we wrote. */
function endsThere(text: string, end: number): boolean {
  const rest = text.slice(end).trimStart()
  return rest === '' || rest.startsWith('[') || rest.startsWith('#')
}

/**
 * The table was changed since, so that it goes from its header to its last key: the line before the
 * next header. A line in a long text may look like one, so that several ends are tried.
 */
function* withoutTable(text: string, { path }: TomlBlock): Generator<string> {
  const lines = text.split(/(?<=\n)/)
  const headers = lines.flatMap((line, at) => (/^[ \t]*\[/.test(line) ? [at] : []))
  for (const first of headers.filter((at) => isHeaderOf(lines[at] ?? '', path))) {
    for (const next of [...headers.filter((at) => at > first), lines.length]) {
      let end = next
      while (/^\s*(?:#.*\s*)?$/.test(lines[end - 1] ?? 'none')) end -= 1
      yield [...lines.slice(0, first), ...lines.slice(end)].join('')
    }
  }
}
