import { isJsonObject, type JsonObject } from '../base/json.ts'
import { own } from '../base/own.ts'
import { unknownLines } from './file-edit.ts'
import { countLines, editedLines } from './line-diff.ts'

/** Lines that an edit of a notebook's cell changes; undefined when it names no new source. */
export function notebookLines(input: JsonObject, oldFile: string | undefined): number | undefined {
  const mode = own(input, 'edit_mode') ?? own(input, 'editMode') ?? 'replace'
  const written = own(input, 'new_source') ?? own(input, 'newSource')
  const newSource = typeof written === 'string' ? written : undefined
  if (mode === 'delete') {
    const oldSource = sourceOf(cellIn(input, oldFile))
    return oldSource === undefined ? unknownLines : countLines(oldSource)
  }
  if (newSource === undefined) return undefined
  if (mode === 'insert') return countLines(newSource)
  if (mode !== 'replace') return undefined
  const oldSource = sourceOf(cellIn(input, oldFile))
  return oldSource === undefined ? unknownLines : editedLines(oldSource, newSource)
}

function cellIn(input: JsonObject, oldFile: string | undefined): unknown {
  const cells = cellsOf(oldFile)
  const id = own(input, 'cell_id') ?? own(input, 'cellId')
  const number = own(input, 'cell_number') ?? own(input, 'cell_idx')
  if (typeof id === 'string') {
    const byId = cells.find((cell) => isJsonObject(cell) && own(cell, 'id') === id)
    // Claude Code also takes a position in this form.
    const position = /^cell-(\d+)$/.exec(id)?.[1]
    return byId ?? (position === undefined ? undefined : cells[Number(position)])
  }
  return typeof number === 'number' ? cells[number] : undefined
}

function cellsOf(oldFile: string | undefined): readonly unknown[] {
  const notebook = parseJson(oldFile)
  const cells = isJsonObject(notebook) ? own(notebook, 'cells') : undefined
  return Array.isArray(cells) ? cells : []
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A cell's source is one text or a list of its lines. */
function sourceOf(cell: unknown): string | undefined {
  const source = isJsonObject(cell) ? own(cell, 'source') : undefined
  if (typeof source === 'string') return source
  return Array.isArray(source) ? source.join('') : undefined
}
