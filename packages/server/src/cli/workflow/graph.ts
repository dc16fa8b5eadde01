import {
  checkDefinition,
  type Graph,
  type ParsedDefinition,
  processGraph,
  toDot,
  toMermaid,
  workflowGraph,
} from '@statewright/core/internal'
import { readDefinitionFile } from '../definition/file.ts'
import { reportProblem } from '../output/report.ts'

/** `statewright workflow graph FILE` */
export function drawFile(
  path: string,
  options: { readonly format: 'mermaid' | 'dot'; readonly json?: true },
): void {
  const read = readDefinitionFile(path)
  if (!read.ok) {
    process.exitCode = reportProblem(read.error)
    return
  }
  const file = read.value
  const graph = 'text' in file ? graphOf(checkDefinition(file.text, file)) : undefined
  if (graph === undefined) {
    process.exitCode = reportProblem({
      code: 'definition_invalid',
      message: 'The definition has errors and is not drawn.',
      where: path,
      next: `run "statewright workflow check ${path}" to see them.`,
    })
    return
  }
  const { format } = options
  const text = format === 'dot' ? toDot(graph) : toMermaid(graph)
  process.stdout.write(options.json === true ? `${JSON.stringify({ format, text })}\n` : text)
}

function graphOf(parsed: ParsedDefinition): Graph | undefined {
  if (parsed.definition === undefined) return undefined
  return parsed.kind === 'workflow'
    ? workflowGraph(parsed.definition)
    : processGraph(parsed.definition)
}
