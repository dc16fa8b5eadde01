import {
  checkDefinition,
  compileProgram,
  type Definition,
  definitionIn,
  describeFor,
  type Finding,
  isJsonObject,
  type JsonObject,
  type Program,
  type ProgramTable,
  programTable,
  ShellConfig,
  type Simulated,
  simulateStart,
} from '@statewright/core/internal'

/** What the text in the editor amounts to. */
export interface Reading {
  readonly findings: readonly Finding[]
  readonly program: Program | null
  /** Undefined where the text has no shape, or more is wrong than that. */
  readonly definition: Definition | undefined
}

export function readText(text: string): Reading {
  const checked = checkDefinition(text)
  const { findings } = checked
  const definition = definitionIn(checked)
  if (definition === undefined) return { findings, program: null, definition }
  const compiled = compileProgram(definition)
  if (compiled.ok) return { findings, program: compiled.value, definition }
  // What is missing is known already as a warning; here it stops the run.
  return { findings: [...findings, ...compiled.error], program: null, definition }
}

const noPrograms = programTable({})

/** What the settings that hold know of programs (SH-5). */
export function configuredPrograms(settings: Readonly<Record<string, unknown>>): ProgramTable {
  const read = ShellConfig.safeParse(settings.shell ?? {})
  return read.success ? programTable(read.data) : noPrograms
}

// There are no files here; paths are taken as if they lay in this folder.
const root = '/workspace'

export function startPlay(
  program: Program,
  at: number,
  programs = noPrograms,
  task?: string,
): Simulated {
  const describe: Simulated['describe'] = (call) =>
    describeFor(program, call, { root, shell: { programs } })
  return simulateStart(program, { at, describe, task })
}

/** Reads what a person typed as JSON data; the empty field is no data. */
export function readData(text: string): JsonObject | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** What a person typed as the answer of a tool: JSON is structure, anything else text. */
export function readResultText(
  text: string,
): { structured?: JsonObject; text?: string } | undefined {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? { structured: value } : { text }
  } catch {
    return { text }
  }
}
