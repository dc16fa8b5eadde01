import { hash } from 'node:crypto'
import { type Definition, processGraph, workflowGraph } from '@statewright/core/internal'
import { readDefinition } from '../../runtime/programs.ts'
import type { DefinitionRow } from '../../store/store.ts'

/** What a row tells of a version of a definition. */
export function wireVersion({ savedBy, savedAt, createdAt, text: _, ...facts }: DefinitionRow) {
  return { ...facts, saved_by: savedBy, saved_at: savedAt, created_at: createdAt }
}

/** The same with what its author says that it is for. */
export function wireLine(row: DefinitionRow, { definition }: Definition = readDefinition(row)) {
  const description = definition.meta?.description
  return {
    ...wireVersion(row),
    description: typeof description === 'string' ? description : undefined,
  }
}

export function wireWorkflow(row: DefinitionRow) {
  const read = readDefinition(row)
  if (read.kind !== 'workflow') throw new Error(`bug: ${row.name} is no workflow`)
  return { ...wireLine(row, read), definition: read.definition, text: row.text }
}

/** The process as it was written, with what the system assigned (PR-1). */
export function wireProcess(row: DefinitionRow) {
  const read = readDefinition(row)
  if (read.kind !== 'process') throw new Error(`bug: ${row.name} is no process`)
  return {
    ...read.definition,
    ...wireLine(row, read),
    id: processId(row),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.savedAt).toISOString(),
  }
}

/** Follows from name and birth, so that it needs no place of its own and never changes. */
function processId({ name, createdAt }: DefinitionRow): string {
  const hex = hash('sha256', `process\n${name}\n${createdAt}`)
  // Version 8 and the variant of RFC 9562: strict readers refuse what is no UUID.
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]
  const [third, fourth] = [`8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  const pieces = [hex.slice(0, 8), hex.slice(8, 12), third, fourth]
  return `proc_${pieces.join('-')}-${hex.slice(20, 32)}`
}

export function graphOf({ kind, definition }: Definition) {
  return kind === 'workflow' ? workflowGraph(definition) : processGraph(definition)
}

export function wireGraph({ title, nodes, edges }: ReturnType<typeof graphOf>) {
  const shown = nodes.map(({ isInitial: is_initial, isFinal: is_final, ...node }) => {
    return { ...node, is_initial, is_final }
  })
  // The event stands in the label; alone it is for anyone who draws.
  const ways = edges.map(({ event: _, ...way }) => way)
  return { title, nodes: shown, edges: ways }
}
