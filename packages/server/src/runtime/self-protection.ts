import { isAbsolute, join, sep } from 'node:path'
import type { ExternalAnswer, JsonObject, ToolCall } from '@statewright/core'
import { realOf } from './workspace-facts.ts'

/**
 * In a guarded run no tool may touch our own data or configuration, whatever the state allows: an
 * agent that can edit its guard has none.
 */
export function protectSelf(
  protectedPaths: readonly string[],
  input: unknown,
  call: ToolCall,
  root: string,
): ExternalAnswer | null {
  if (protectedPaths.length === 0) return null
  const real = (path: string) => realOf(isAbsolute(path) ? path : join(root, path))
  const touched = new Set([...pathsIn(input, 0), ...shellPaths(call)])
  // Whoever removes or moves a folder above ours takes ours along.
  const changed = new Set(writtenPaths(call))
  const reaches =
    [...touched].map(real).some((path) => protectedPaths.some((kept) => isWithin(path, kept))) ||
    [...changed].map(real).some((path) => protectedPaths.some((kept) => isWithin(kept, path))) ||
    mentions(protectedPaths, call)
  if (!reaches) return null
  const message = 'The call would reach the data or configuration of Statewright itself.'
  return {
    source: 'self_protection',
    kind: 'deny',
    reasons: [{ code: 'self_protection', message, path: '' }],
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Strings of an input that may be paths: tools differ in what they call the field. */
function pathsIn(value: unknown, depth: number): string[] {
  if (depth > 4) return []
  if (typeof value === 'string') return looksLikePath(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, depth + 1))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as JsonObject) // Checked above: a plain object of a JSON body.
    .filter(([key]) => pathFields.test(key))
    .flatMap(([, item]) => pathsIn(item, depth + 1))
}

const pathFields = /path|file|dir|folder|root|cwd|target|source|destination|notebook|uri|edits/i

function looksLikePath(text: string): boolean {
  return text.length < 4096 && !text.includes('\n') && !text.includes('\0')
}

function shellPaths(call: ToolCall): string[] {
  const { shell } = call
  if (shell === undefined) return []
  const words = shell.commands.flatMap((command) => command.words.slice(1))
  const paths = shell.reads.map((read) => read.path)
  return [...paths, ...writtenPaths(call), ...words.filter((word) => word !== null)].filter(
    looksLikePath,
  )
}

function writtenPaths(call: ToolCall): string[] {
  const paths = call.shell?.writes.map((write) => write.path) ?? []
  return paths.filter((path): path is string => path !== null && path !== '')
}

/** The folder's very name in the command, in whatever way the shell would put it together. */
function mentions(protectedPaths: readonly string[], call: ToolCall): boolean {
  const { shell } = call
  if (shell === undefined) return false
  return protectedPaths.some((kept) => shell.command.includes(kept))
}
