import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import {
  err,
  type Finding,
  finding,
  limits,
  ok,
  type Problem,
  type Result,
  type TextFormat,
  tooLargeFinding,
} from '@statewright/core/internal'

/** A definition's text as it lies in a file, or why it cannot be one. */
export type DefinitionFile =
  | { readonly file: string; readonly text: string; readonly format?: TextFormat }
  | { readonly file: string; readonly fault: Finding }

/** Reads a file no further than a definition may be long: what lies there may be anything. */
export function readDefinitionFile(file: string): Result<DefinitionFile, Problem> {
  const read = readBounded(file)
  if (!read.ok) return read
  const bytes = read.value
  if (!(bytes instanceof Uint8Array)) return ok({ file, fault: tooLargeFinding(bytes.size) })
  const text = decode(bytes)
  if (text === undefined) {
    return ok({ file, fault: finding('not_text', [], 'This file is not UTF-8 text.') })
  }
  const format = formats[extname(file).toLowerCase()]
  return ok(format === undefined ? { file, text } : { file, text, format })
}

const formats: Readonly<Record<string, TextFormat>> = {
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function readBounded(file: string): Result<Uint8Array | { readonly size: number }, Problem> {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const { size } = fstatSync(descriptor)
    if (size > limits.definitionBytes) return ok({ size })
    const bytes = new Uint8Array(limits.definitionBytes + 1)
    let length = 0
    // A pipe or device has no size to go by, so that reading itself must stop.
    while (length < bytes.length) {
      const count = readSync(descriptor, bytes, length, bytes.length - length, null)
      if (count === 0) return ok(bytes.subarray(0, length))
      length += count
    }
    return ok({ size: length })
  } catch (error) {
    return err(unreadable(file, error))
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function unreadable(file: string, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'it may not be read',
  }
  return {
    code: 'file_unreadable',
    message: `The file could not be read: ${reasons[code] ?? code}.`,
    where: file,
    next: 'check the path; several files can be given one after another.',
  }
}
