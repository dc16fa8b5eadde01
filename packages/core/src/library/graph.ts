import { toDot as dotOf } from '../graph/dot.ts'
import { toMermaid as mermaidOf } from '../graph/mermaid.ts'
import { inside, type Program } from './compile.ts'

/**
 * A program as a Mermaid state diagram, with the current state in bold when it is given.
 *
 * @example
 * import { compile, toMermaid } from '@statewright/core'
 *
 * const compiled = compile({ id: 'look', initial: 'done', states: { done: { type: 'final' } } })
 * if (compiled.ok) console.log(toMermaid(compiled.value, { current: 'done' }).split('\n')[0])
 * // stateDiagram-v2
 */
export function toMermaid(program: Program, mark: { readonly current?: string } = {}): string {
  return mermaidOf(program[inside].graph, mark)
}

/**
 * A program as a digraph for Graphviz.
 *
 * @example
 * import { compile, toDot } from '@statewright/core'
 *
 * const compiled = compile({ id: 'look', initial: 'done', states: { done: { type: 'final' } } })
 * if (compiled.ok) console.log(toDot(compiled.value).split('\n')[0]) // digraph "look" {
 */
export function toDot(program: Program): string {
  return dotOf(program[inside].graph)
}
