import { unreachable } from '../base/invariant.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { phrase } from '../base/text/phrase.ts'
import { editText } from './edit-fields.ts'
import {
  type EditFacts,
  type FileEdit,
  type OldText,
  unknownLines,
  unreadableEdits,
} from './file-edit.ts'
import { countLines, editedLines } from './line-diff.ts'
import { lowerAscii } from './tool-names.ts'

/** How the well-known MCP servers for files call what they write with, and its paths. */
interface Writer {
  /** Edits of a file, as a client's own Edit makes them; else the whole of it is written. */
  readonly how: 'replace' | 'write' | 'append' | 'create_directory' | 'delete' | 'move'
  readonly paths: readonly string[]
}

const path = ['path', 'file_path', 'filePath', 'filepath', 'pathInProject', 'target']
const twoPaths = ['source', 'destination', 'from', 'to', 'src', 'dest', 'old_path', 'new_path']

function writers(how: Writer['how'], paths: readonly string[], names: readonly string[]) {
  return names.map((name) => [name, { how, paths }] as const)
}

const known: ReadonlyMap<string, Writer> = new Map([
  ...writers('write', path, [
    'write_file',
    'create_file',
    'create_new_file',
    'write_to_file',
    'save_file',
    'create_text_file',
    'write_text_file',
  ]),
  ...writers('replace', path, [
    'edit_file',
    'edit_block',
    'search_replace',
    'find_and_replace',
    'replace_in_file',
    'replace_text_in_file',
    'replace_content',
    'str_replace',
    'modify_file',
    'patch_file',
    'edit_text_file_contents',
  ]),
  ...writers('append', path, ['append_file', 'append_to_file', 'append_text_file_contents']),
  ...writers('create_directory', path, ['create_directory', 'make_directory', 'create_folder']),
  ...writers('delete', path, ['delete_file', 'remove_file', 'delete_directory', 'delete_path']),
  ...writers('move', twoPaths, ['move_file', 'rename_file', 'copy_file', 'move_path', 'move']),
])

/** Names of tools that write files, whichever server has them. */
export const fileWriters: readonly string[] = [...known.keys()]

/** What lies at another service has its own address beside the path: it is no file here. */
const elsewhere = ['owner', 'repo', 'repository', 'project_id', 'bucket', 'drive_id', 'url']

/**
 * What a call to a tool of an MCP server would change in files (WF-28a). `named` are arguments that
 * the configuration or the tool's own schema calls paths to write; else the name of the tool says
 * it, as the well-known servers for files use it. A name alone denies nothing: what cannot be read
 * then is a tool of another kind.
 */
export function serverWrites(
  tool: string,
  input: unknown,
  named: readonly string[] | undefined,
  oldTextOf: OldText,
): EditFacts {
  if (named !== undefined) return namedWrites(input, named, oldTextOf)
  const writer = known.get(lowerAscii(tool))
  if (writer === undefined || !isJsonObject(input) || own(input, 'dryRun') === true) return nothing
  if (elsewhere.some((field) => own(input, field) !== undefined)) return nothing
  const paths = pathsIn(input, writer.paths)
  return { edits: (paths ?? []).map((one) => editOf(writer.how, one, input, oldTextOf)) }
}

const nothing: EditFacts = { edits: [] }

function namedWrites(input: unknown, named: readonly string[], oldTextOf: OldText): EditFacts {
  const paths = isJsonObject(input) ? pathsIn(input, named) : undefined
  if (!isJsonObject(input) || paths === undefined || paths.length === 0) {
    return unreadableEdits(phrase('edit_lacks_path'))
  }
  return { edits: paths.map((one) => editOf('write', one, input, oldTextOf)) }
}

/** Texts in these fields, or in lists in them; undefined where one holds anything else. */
function pathsIn(input: JsonObject, fields: readonly string[]): readonly string[] | undefined {
  const given = fields.flatMap((field) => own(input, field) ?? [])
  const isText = (one: unknown) => typeof one === 'string' && one !== '' && !one.includes('\0')
  if (given.length > limits.patchFiles || !given.every(isText)) return undefined
  return given.map(String)
}

function editOf(how: Writer['how'], file: string, input: JsonObject, oldTextOf: OldText): FileEdit {
  const old = oldTextOf(file)
  switch (how) {
    // Never 'create': the server may have another root or machine, where the file is there already.
    case 'write':
      return { path: file, op: 'write', lines: writtenLines(input, old) }
    case 'append': {
      const lines = countLines(contentOf(input) ?? '')
      return { path: file, op: old === undefined ? 'write' : 'edit', lines }
    }
    case 'replace':
      return { path: file, op: 'edit', lines: replacedLines(input, old) }
    case 'create_directory':
      return { path: file, op: 'create', lines: 0 }
    case 'delete':
      return { path: file, op: 'delete', lines: old === undefined ? unknownLines : countLines(old) }
    case 'move':
      return { path: file, op: 'move', lines: 0 }
    default:
      return unreachable(how)
  }
}

function contentOf(input: JsonObject): string | undefined {
  const text = own(input, 'text')
  return editText(input, 'content') ?? (typeof text === 'string' ? text : undefined)
}

function writtenLines(input: JsonObject, old: string | undefined): number {
  const content = contentOf(input)
  if (content === undefined) return unknownLines
  if (old === undefined || own(input, 'mode') === 'append') return countLines(content)
  return editedLines(old, content)
}

/** The largest of its replacements; what cannot be read may be as large as the file. */
function replacedLines(input: JsonObject, old: string | undefined): number {
  const list = own(input, 'edits')
  const items = Array.isArray(list) ? list : [input]
  let largest = 0
  for (const item of items) {
    const before = isJsonObject(item) ? editText(item, 'oldText') : undefined
    const after = isJsonObject(item) ? editText(item, 'newText') : undefined
    if (before === undefined || after === undefined) {
      return old === undefined ? unknownLines : Math.max(countLines(old), largest)
    }
    largest = Math.max(largest, editedLines(before, after))
  }
  return largest
}
