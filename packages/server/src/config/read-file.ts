import { statSync } from 'node:fs'
import {
  err,
  type Finding,
  limits,
  ok,
  type Problem,
  parseStrict,
  type Result,
} from '@statewright/core/internal'
import { readRegularText } from '../base/read-regular.ts'
import { Config, plannedKeys } from './schema.ts'

/** Reads a configuration file; one that is not there says nothing. */
export function readConfigFile(file: string): Result<Config | undefined, Problem> {
  let text: string
  try {
    if (statSync(file).size > limits.definitionBytes)
      return err(unreadable(file, 'it is too large'))
    if (!statSync(file).isFile()) return err(unreadable(file, 'it is not a file'))
    text = readRegularText(file, limits.definitionBytes)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(undefined)
    // Going on without it would drop the restrictions that it holds.
    return err(unreadable(file, code))
  }
  return parseConfig(text, file)
}

export function parseConfig(text: string, file: string): Result<Config, Problem> {
  // A file of comments alone is what one has after commenting everything out.
  const isBare = text.split('\n').every((line) => /^\s*(#.*)?$/.test(line))
  if (isBare) return ok({})
  const { definition, findings } = parseStrict(text, {
    schema: Config,
    what: 'The configuration',
    format: 'yaml',
  })
  if (definition !== undefined) return ok(definition)
  const [first, ...more] = findings
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`
  const what = first === undefined ? 'The configuration cannot be read.' : sentence(first)
  return err({
    code: 'config_invalid',
    message: `${what}${rest}`,
    where: `${file}:${first?.line ?? 1}:${first?.column ?? 1}`,
    next: 'fix the file. Until then nothing starts, because a restriction could be missing.',
  })
}

function sentence({ code, path, message }: Finding): string {
  const key = String(path[0])
  const isPlanned = path.length === 1 && Object.hasOwn(plannedKeys, key)
  if (code !== 'unknown_field' || !isPlanned) return message
  return `"${key}" is not supported yet: ${plannedKeys[key]}.`
}

function unreadable(file: string, reason: string): Problem {
  return {
    code: 'config_invalid',
    message: `The configuration cannot be read (${reason}).`,
    where: file,
    next: 'make it readable, or move it away if you do not need it.',
  }
}
