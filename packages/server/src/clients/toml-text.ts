import { err, isJsonObject, type Json, ok, type Problem, type Result } from '@statewright/core'
import type { TomlTable } from './installer.ts'
import { brokenSettings, takenSettings } from './settings-problem.ts'
import { readToml, type TomlPart } from './toml-read.ts'

/** A table that was put at the end of a text, so that exactly this can be taken away again. */
export interface TomlBlock {
  readonly path: readonly string[]
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
  const parts = readToml(text)
  if (!parts.ok) return err(brokenSettings(where, parts.error))
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const blocks: TomlBlock[] = []
  let now = text
  for (const table of tables) {
    const other = parts.value.find((part) => isInTheWay(part, table.path))
    if (other !== undefined) return err(takenSettings(where, other.path))
    const block = `${leadOf(now, lineEnd)}${tableText(table, lineEnd)}`
    blocks.push({ path: table.path, text: block })
    now += block
  }
  return ok({ text: now, blocks })
}

/** Something of that very name, something in it, or something above it that is no table. */
function isInTheWay({ kind, path }: TomlPart, wanted: readonly string[]): boolean {
  const isPrefix = (short: readonly string[], long: readonly string[]) =>
    short.every((key, index) => long[index] === key)
  if (path.length >= wanted.length) return isPrefix(wanted, path)
  return kind !== 'table' && isPrefix(path, wanted)
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
    const parts = readToml(now)
    if (!parts.ok) return err(brokenSettings(where, parts.error))
    now = without(now, block, parts.value)
  }
  return ok(now)
}

function without(text: string, block: TomlBlock, parts: readonly TomlPart[]): string {
  const at = text.indexOf(block.text)
  const end = at + block.text.length
  if (at >= 0 && endsThere(text, end)) {
    // The line end before our empty line is still needed when something follows.
    const lead = /^\r?\n(?=\r?\n)/.exec(block.text)?.[0] ?? ''
    const keepsLead = lead !== '' && end < text.length && !text.startsWith('\n', at - 1)
    return text.slice(0, at + (keepsLead ? lead.length : 0)) + text.slice(end)
  }
  return withoutTable(text, block, parts)
}

/** The client writes more keys into its tables; then the block goes on behind what we wrote. */
function endsThere(text: string, end: number): boolean {
  const rest = text.slice(end).trimStart()
  return rest === '' || rest.startsWith('[') || rest.startsWith('#')
}

/** The table was changed since, so that it goes from its header to its last key. */
function withoutTable(text: string, { path }: TomlBlock, parts: readonly TomlPart[]): string {
  const first = parts.findIndex((part) => part.kind === 'table' && isSame(part.path, path))
  const header = parts[first]
  if (header === undefined) return text
  const next = parts.findIndex((part, index) => index > first && part.kind !== 'value')
  const last = parts[(next < 0 ? parts.length : next) - 1] ?? header
  const lineEnd = text.indexOf('\n', last.end)
  const behind = lineEnd < 0 ? text.length : lineEnd + 1
  return text.slice(0, header.start) + text.slice(behind)
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index])
}
