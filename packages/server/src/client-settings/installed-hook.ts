import { isJsonObject, unreachable } from '@statewright/core/internal'
import { ourServerName } from '../clients/claude-tools.ts'
import { codingClients } from '../clients/coding-clients.ts'
import type { Undo } from './edit-file.ts'
import { readToml } from './toml-read.ts'

/** How a client reaches us before a tool call, read from what was put into its settings. */
export type HookTarget =
  | { readonly kind: 'command'; readonly words: readonly string[] }
  | { readonly kind: 'shell'; readonly line: string }
  | { readonly kind: 'plugin'; readonly file: string }

/** The MCP server that was entered. */
export interface McpEntry {
  readonly command: string
  readonly args: readonly string[]
}

export interface InstalledFile {
  readonly path: string
  readonly undo: Undo
}

/** What clients call the events that ask whether something may happen. */
const guardingEvents = [...codingClients.values()].flatMap(
  ({ hookEvents }) => hookEvents?.asks ?? [],
)

export function hookTarget(files: readonly InstalledFile[]): HookTarget | undefined {
  for (const { path, undo } of files) {
    if (undo.kind === 'whole' && path.endsWith('.js')) return { kind: 'plugin', file: path }
    for (const handler of handlersIn(undo)) {
      const target = targetOf(handler)
      if (target !== undefined) return target
    }
  }
  return undefined
}

function handlersIn(undo: Undo): unknown[] {
  if (undo.kind === 'toml') return []
  if (undo.kind === 'json') {
    return undo.additions
      .filter(({ path, isContainer }) => !isContainer && guardingEvents.includes(path.at(-1) ?? ''))
      .map(({ value }) => value)
  }
  const hooks = memberOf(parse(undo.text), 'hooks')
  return guardingEvents.map((event) => memberOf(hooks, event)).filter((one) => one !== undefined)
}

/** Handlers stand alone, in a list, or in a group with a matcher beside them. */
function targetOf(value: unknown): HookTarget | undefined {
  if (Array.isArray(value)) return value.map(targetOf).find((target) => target !== undefined)
  if (!isJsonObject(value)) return undefined
  if (Array.isArray(value.hooks)) return targetOf(value.hooks)
  if (typeof value.command !== 'string') return undefined
  if (!Array.isArray(value.args)) return { kind: 'shell', line: value.command }
  return { kind: 'command', words: [value.command, ...value.args.map(String)] }
}

export function mcpEntry(files: readonly InstalledFile[]): McpEntry | undefined {
  for (const { undo } of files) {
    for (const value of serversIn(undo)) {
      const entry = entryOf(value)
      if (entry !== undefined) return entry
    }
  }
  return undefined
}

function serversIn(undo: Undo): unknown[] {
  switch (undo.kind) {
    case 'json':
      return undo.additions.filter(({ key }) => key === ourServerName).map(({ value }) => value)
    case 'whole':
      return [memberOf(memberOf(parse(undo.text), 'mcpServers'), ourServerName)]
    case 'toml':
      return undo.blocks.map(({ path, text }) => tableIn(text, path))
    default:
      return unreachable(undo)
  }
}

/** What one of our tables in TOML says; others, such as hashes of hooks, name no command. */
function tableIn(text: string, path: readonly string[]): unknown {
  const read = readToml(text)
  if (!read.ok || path.at(-1) !== ourServerName) return undefined
  return path.reduce<unknown>(memberOf, read.value)
}

function entryOf(value: unknown): McpEntry | undefined {
  if (!isJsonObject(value)) return undefined
  const given = Array.isArray(value.args) ? value.args : []
  const words = Array.isArray(value.command) ? value.command : [value.command ?? null, ...given]
  const [command, ...args] = words.filter((word) => typeof word === 'string')
  return command === undefined ? undefined : { command, args }
}

function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
