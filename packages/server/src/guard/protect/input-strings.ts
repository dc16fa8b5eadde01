import { isJsonObject } from '@statewright/core/internal'

/** A string of a call's input, with the name of the field that it stands in. */
export interface InputString {
  readonly field: string
  readonly text: string
}

/** What a client can send is bounded; this only keeps a hostile input from taking all our time. */
const maxDepth = 60
const maxStrings = 20_000

/** Every string of an input, also of arguments that are handed on as JSON. */
export function stringsIn(input: unknown): readonly InputString[] {
  const found: InputString[] = []
  collect(input, '', 0, found)
  return found
}

function collect(value: unknown, field: string, depth: number, found: InputString[]): void {
  if (depth > maxDepth || found.length >= maxStrings) return
  if (typeof value === 'string') {
    found.push({ field, text: value })
    if (argumentFields.test(field)) collectObject(parsed(value), field, depth + 1, found)
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, field, depth + 1, found)
  } else collectObject(value, field, depth, found)
}

function collectObject(value: unknown, field: string, depth: number, found: InputString[]): void {
  if (Array.isArray(value)) collect(value, field, depth + 1, found)
  if (!isJsonObject(value)) return
  for (const [name, item] of Object.entries(value)) collect(item, name, depth + 1, found)
}

/** Tools that call other tools hand their arguments on as text. */
const argumentFields = /^(?:args?|arguments|params?|parameters|input|payload|request|options)$/i

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A command of an input: a line for a shell, or a program with its arguments. */
export type InputCommand = string | readonly string[]

/** What a tool that is no shell would run all the same, by the names of its fields. */
export function commandsIn(tool: string, input: unknown): readonly InputCommand[] {
  const found: InputCommand[] = []
  collectCommands(input, 0, found)
  if (!runningName.test(tool)) return found
  // Code of any language is read as that of one that we know, which proves little and hides less.
  const code = stringsIn(input).filter(({ field }) => codeFields.test(field))
  return [...found, ...code.map(({ text }) => ['python3', '-c', text])]
}

function collectCommands(value: unknown, depth: number, found: InputCommand[]): void {
  if (depth > maxDepth || found.length >= maxCommands) return
  if (Array.isArray(value)) for (const item of value) collectCommands(item, depth + 1, found)
  if (!isJsonObject(value)) return
  let program: string | undefined
  for (const [name, item] of Object.entries(value)) {
    if (!commandFields.test(name)) collectCommands(item, depth + 1, found)
    else if (typeof item === 'string') {
      found.push(item)
      program ??= item
    } else if (isWords(item)) found.push(item, ...item)
    else collectCommands(item, depth + 1, found)
  }
  const { args } = value
  if (program !== undefined && isWords(args)) found.push([program, ...args])
  else if (isWords(args)) found.push(args)
}

const maxCommands = 50
const commandFields =
  /^(?:.*_)?(?:commands?|cmd|cmdline|command_?line|script|shell|bash|argv|exec)$/i
const codeFields = /^(?:code|source|expression|function|snippet|javascript|js|python)$/i
const runningName =
  /run|exec|eval|repl|interpret|terminal|process|shell|script|console|python|node|browser|kernel/i

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
