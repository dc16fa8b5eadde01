import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  checkDefinition,
  compileProgram,
  type Definition,
  definitionIn,
  err,
  ok,
  type Path,
  type Problem,
  type Program,
  parseStrict,
  type Result,
  readDefinitionText,
  type TextFormat,
} from '@statewright/core/internal'
import { readDefinitionFile } from '../../definition/file.ts'
import { ScenarioFile } from './schema.ts'

export interface ReadScenarios {
  readonly file: ScenarioFile
  readonly program: Program
  /** The line of something in the file, for a step that went another way. */
  readonly lineOf: (path: Path) => number
}

/** Reads a scenario file and the definitions that it names. */
export function readScenarios(path: string): Result<ReadScenarios, Problem> {
  const read = readDefinitionFile(path)
  if (!read.ok) return read
  if (!('text' in read.value)) return err(invalid(path, read.value.fault.message, 1, 1))
  const { text, format } = read.value
  const how = format === undefined ? {} : { format }
  const parsed = parseStrict(text, { schema: ScenarioFile, what: 'A scenario file', ...how })
  const { definition: file, findings } = parsed
  if (file === undefined) {
    const meant = scenariosOf(path, text, how)
    if (meant !== undefined) return err(meant)
    const [first] = findings
    const message = first?.message ?? 'The scenario file cannot be read.'
    return err(invalid(path, message, first?.line ?? 1, first?.column ?? 1))
  }
  const program = compile(path, file)
  if (!program.ok) return program
  const source = readDefinitionText(text, how)
  const lineOf = (path: Path) => source.locate(path, 'key')?.line ?? 1
  return ok({ file, program: program.value, lineOf })
}

/** By what stands in it, not by its name: a definition may be called anything. */
export function isScenarioFile({ text, format }: { text: string; format?: TextFormat }): boolean {
  const how = format === undefined ? {} : { format }
  const parsed = parseStrict(text, { schema: ScenarioFile, what: 'A scenario file', ...how })
  return parsed.definition !== undefined
}

/**
 * What there is to prove: a scenario file, or a definition with the scenario file beside it, where
 * there is one.
 */
export function readProvable(path: string): Result<ReadScenarios & { path: string }, Problem> {
  const read = readDefinitionFile(path)
  if (!read.ok) return read
  const isDefinition =
    'text' in read.value && checkDefinition(read.value.text, read.value).definition !== undefined
  const beside = besides(path)
  const named = isDefinition && existsSync(beside) ? beside : path
  if (!isDefinition || named === beside) {
    const found = readScenarios(named)
    return found.ok ? ok({ ...found.value, path: named }) : found
  }
  const file: ScenarioFile = { definition: basename(path) }
  const program = compile(path, file)
  return program.ok ? ok({ file, program: program.value, lineOf: () => 1, path }) : program
}

function besides(path: string): string {
  return path.replace(/(\.[a-z]+)?$/, '.scenarios.yaml')
}

/** Anyone who names the workflow itself means the scenarios beside it. */
function scenariosOf(path: string, text: string, how: object): Problem | undefined {
  if (checkDefinition(text, how).definition === undefined) return undefined
  const beside = besides(path)
  return {
    code: 'definition_invalid',
    message: 'This is a definition; scenarios are played against it.',
    where: path,
    next: existsSync(beside)
      ? `run "statewright workflow test ${beside}".`
      : 'write some; "Scenarios" in the guide (/docs/scenarios) shows how.',
  }
}

function compile(path: string, file: ScenarioFile): Result<Program, Problem> {
  const others = new Map<string, Definition>()
  for (const name of file.invokes ?? []) {
    const other = readDefinition(join(dirname(path), name))
    if (!other.ok) return other
    others.set(nameOf(other.value), other.value)
  }
  const main = readDefinition(join(dirname(path), file.definition))
  if (!main.ok) return main
  const program = compileProgram(main.value, (name) => others.get(name))
  if (program.ok) return program
  return err({
    code: 'unknown_workflow',
    message: program.error.map((finding) => finding.message).join(' '),
    where: path,
    next: 'name the files of invoked definitions under "invokes".',
  })
}

function readDefinition(path: string): Result<Definition, Problem> {
  const read = readDefinitionFile(path)
  if (!read.ok) return read
  const checked = 'text' in read.value ? checkDefinition(read.value.text, read.value) : undefined
  const definition = checked === undefined ? undefined : definitionIn(checked)
  if (definition === undefined) {
    return err({
      code: 'definition_invalid',
      message: 'The definition has errors, so nothing can be played.',
      where: path,
      next: `run "statewright workflow check ${path}" to see them.`,
    })
  }
  return ok(definition)
}

function nameOf(definition: Definition): string {
  return definition.kind === 'workflow' ? definition.definition.id : definition.definition.name
}

export function invalid(path: string, message: string, line: number, column: number): Problem {
  return {
    code: 'definition_invalid',
    message,
    where: `${path}:${line}:${column}`,
    next: 'fix the scenario file; "Scenarios" in the guide (/docs/scenarios) shows its keys.',
  }
}
