import { err, ok, type Result } from '../base/result.ts'
import {
  type CheckOptions,
  checkDefinition,
  type DefinitionKind,
  type ParsedDefinition,
} from '../check/check-definition.ts'
import { type Finding, finding, hasErrors } from '../definition/finding.ts'
import { type Graph, processGraph, workflowGraph } from '../graph/edges.ts'
import type { Program as CompiledProgram } from '../machine/machine.ts'
import { compileProgram, type Definition } from '../machine/program.ts'

/** What lies inside of a program. Its shape is no promise, so that it has no name to others. */
export const inside: unique symbol = Symbol('program')

/**
 * A definition that was read, checked and compiled: what a run is bound to. Made by `compile`.
 *
 * @example
 * import { compile, type Program } from '@statewright/core'
 *
 * const compiled = compile({ id: 'look', initial: 'done', states: { done: { type: 'final' } } })
 * if (!compiled.ok) throw new Error(compiled.error[0]?.message)
 * const program: Program = compiled.value
 * console.log(program.id, program.kind) // look workflow
 */
export interface Program {
  /** The `id` of a workflow, the `name` of a process. */
  readonly id: string
  readonly kind: DefinitionKind
  /** Of the definition and everything that it invokes. */
  readonly hash: string
  readonly initial: string
  readonly states: readonly string[]
  /** What was found in it that is no error. */
  readonly warnings: readonly Finding[]
  readonly [inside]: { readonly compiled: CompiledProgram; readonly graph: Graph }
}

/** A definition as an author wrote it: its text in YAML or JSON, or the value of one. */
export type Source = string | object

export interface CompileOptions {
  /** Which kind it must be; found out by its shape when it is not given. */
  readonly kind?: DefinitionKind
  /** The definitions that it invokes, by the names under which it does. */
  readonly invoked?: Readonly<Record<string, Source>>
}

/**
 * Reads, checks and compiles a workflow or process. The error is a list of findings, each with its
 * code, its place and, of a text, its line.
 *
 * @example
 * import { compile } from '@statewright/core'
 *
 * const typo = compile({ id: 'look', initial: 'lok', states: { look: { type: 'final' } } })
 * if (!typo.ok) console.log(typo.error[0]?.message)
 * // There is no state "lok". Did you mean "look"?
 */
export function compile(source: Source, options: CompileOptions = {}): Result<Program, Finding[]> {
  const { invoked = {}, ...checking } = options
  const root = checkDefinition(source, checking)
  const others = Object.entries(invoked).map(([name, one]) => [name, checkDefinition(one)] as const)
  const wrong = others.flatMap(([name, { findings }]) => findingsIn(name, findings))
  const findings = [...root.findings, ...wrong]
  const definition = definitionIn(root)
  if (definition === undefined || hasErrors(findings)) return err(findings)
  const found = new Map(others.map(([name, one]) => [name, definitionIn(one)]))
  const compiled = compileProgram(definition, (name) => found.get(name))
  if (!compiled.ok) return err([...findings, ...compiled.error])
  const { hash, root: machine } = compiled.value
  return ok({
    id: machine.id,
    kind: machine.kind,
    hash,
    initial: machine.initial,
    states: [...machine.states.keys()],
    warnings: findings,
    [inside]: { compiled: compiled.value, graph: graphOf(definition) },
  })
}

/**
 * Everything that an author should know of a definition: errors and warnings, with their places.
 *
 * @example
 * import { check } from '@statewright/core'
 *
 * const text = `id: look
 * initial: reading
 * states:
 *   reading: { allowed_tolls: [Read], on: { DONE: done } }
 *   done: { type: final }`
 * for (const { code, line, message } of check(text)) console.log(code, line, message)
 * // unknown_field 4 Unknown field "allowed_tolls". Did you mean "allowed_tools"?
 */
export function check(source: Source, options: CheckOptions = {}): readonly Finding[] {
  return checkDefinition(source, options).findings
}

/** A definition that was read without an error, by its kind. */
export function definitionIn(read: ParsedDefinition): Definition | undefined {
  if (read.definition === undefined) return undefined
  return read.kind === 'workflow'
    ? { kind: read.kind, definition: read.definition }
    : { kind: read.kind, definition: read.definition }
}

function findingsIn(name: string, findings: readonly Finding[]): Finding[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, path, message }) => finding(code, path, `In ${JSON.stringify(name)}: ${message}`))
}

function graphOf(read: Definition): Graph {
  return read.kind === 'workflow' ? workflowGraph(read.definition) : processGraph(read.definition)
}
