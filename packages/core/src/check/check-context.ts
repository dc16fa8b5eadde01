import { limits } from '../base/limits.ts'
import { didYouMean } from '../definition/parse/wording.ts'
import type { WorkflowDefinition } from '../definition/workflow-schema.ts'
import { type TransitionGraph, transitionGraph } from './transition-graph.ts'

/** What is known of a definition that others invoke. */
export interface InvokedDefinition {
  readonly output?: readonly string[] | undefined
}

/** Finds a definition by the name under which it is invoked. */
export type KnownDefinitions = (name: string) => InvokedDefinition | undefined

/** What may be known around a definition. */
export interface CheckFacts {
  readonly known?: KnownDefinitions
  /** Source files of the project, against its root. */
  readonly files?: readonly string[]
  /** Servers whose tools are known. */
  readonly tools?: readonly ServerTools[]
}

/** An MCP server behind our gateway, and what it offers. */
export interface ServerTools {
  readonly server: string
  /** As the server calls them. */
  readonly tools: readonly string[]
  /** As our gateway lists them. */
  readonly listed: readonly string[]
  /** JSON Schemas of their arguments, by the name of the tool. */
  readonly schemas?: Readonly<Record<string, unknown>>
}

/** What every check of a workflow looks at. */
export interface CheckContext {
  readonly definition: WorkflowDefinition
  readonly graph: TransitionGraph
  /** Absent when nothing is known of other definitions, so that none can be said to be missing. */
  readonly known: KnownDefinitions | undefined
  readonly files: readonly string[] | undefined
  readonly tools: readonly ServerTools[] | undefined
  /** The end of a sentence that says which name was probably meant. */
  readonly hint: (wanted: string, names: Iterable<string>) => string
}

export function checkContextOf(
  definition: WorkflowDefinition,
  { known, files, tools }: CheckFacts = {},
): CheckContext {
  const graph = transitionGraph(definition)
  return { definition, graph, known, files, tools, hint: boundedHints() }
}

/**
 * Looking for the nearest of ten thousand names takes a while; ten thousand wrong names would take
 * minutes. Only as many hints are given as findings are shown.
 */
export function boundedHints(): CheckContext['hint'] {
  let left: number = limits.findings
  return (wanted, names) => (left-- > 0 ? didYouMean(wanted, names) : '')
}
