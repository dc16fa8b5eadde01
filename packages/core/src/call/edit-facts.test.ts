import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { describeEdits, type FileEdit, neededTools } from './edit-facts.ts'
import { unknownLines } from './file-edit.ts'

const files: ReadonlyMap<string, string> = new Map([
  ['a.ts', 'one\ntwo\nthree\n'],
  ['x.ts', 'x\nx\nx\ny\n'],
  ['n.ipynb', JSON.stringify({ cells: [{ id: 'c1', source: ['a\n', 'b\n'] }, { source: 'c' }] })],
])
const oldTextOf = (path: string) => files.get(path)
const facts = (tool: string, input: unknown) => describeEdits({ tool }, input, oldTextOf)
const lines = (count: number) => 'l\n'.repeat(count)

describe('what one call changes', () => {
  test.each<[string, string, unknown, FileEdit]>([
    [
      'Claude edit',
      'Edit',
      { file_path: 'a.ts', old_string: 'one\ntwo', new_string: 'one\n2\n3' },
      { path: 'a.ts', op: 'edit', lines: 2 },
    ],
    [
      'opencode edit',
      'edit',
      { filePath: 'a.ts', oldString: 'two', newString: '2' },
      { path: 'a.ts', op: 'edit', lines: 1 },
    ],
    [
      'Copilot edit',
      'edit',
      { path: 'a.ts', old_str: 'two', new_str: '' },
      { path: 'a.ts', op: 'edit', lines: 1 },
    ],
    [
      'Gemini edit that makes a file',
      'replace',
      { file_path: 'new.ts', old_string: '', new_string: lines(4) },
      { path: 'new.ts', op: 'create', lines: 4 },
    ],
    [
      'every place',
      'Edit',
      { file_path: 'x.ts', old_string: 'x', new_string: 'z', replace_all: true },
      { path: 'x.ts', op: 'edit', lines: 3 },
    ],
    [
      'every place of a file that cannot be read',
      'Edit',
      { file_path: 'gone.ts', old_string: 'x', new_string: 'z', replace_all: true },
      { path: 'gone.ts', op: 'edit', lines: unknownLines },
    ],
    [
      'a flag given as text',
      'Edit',
      { file_path: 'x.ts', old_string: 'x', new_string: 'z', replace_all: 'true' },
      { path: 'x.ts', op: 'edit', lines: 3 },
    ],
    [
      'several replacements expected by Gemini',
      'replace',
      { file_path: 'x.ts', old_string: 'x', new_string: 'z', expected_replacements: 3 },
      { path: 'x.ts', op: 'edit', lines: 3 },
    ],
    [
      'the largest of several edits',
      'MultiEdit',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: 'one', new_string: '1' },
          { old_string: 'two', new_string: 'a\nb\nc' },
        ],
      },
      { path: 'a.ts', op: 'edit', lines: 3 },
    ],
    [
      'a later edit that meets what an earlier one left',
      'MultiEdit',
      {
        file_path: 'x.ts',
        edits: [
          { old_string: 'y', new_string: 'x\nx\n' },
          { old_string: 'x', new_string: 'z', replace_all: true },
        ],
      },
      { path: 'x.ts', op: 'edit', lines: 5 },
    ],
    [
      'Claude write over a file',
      'Write',
      { file_path: 'a.ts', content: 'one\n2\nthree\n' },
      { path: 'a.ts', op: 'write', lines: 1 },
    ],
    [
      'Gemini write of a new file',
      'write_file',
      { file_path: 'b.ts', content: lines(20) },
      { path: 'b.ts', op: 'create', lines: 20 },
    ],
    [
      'Copilot create',
      'create',
      { path: 'b.ts', file_text: 'a\nb' },
      { path: 'b.ts', op: 'create', lines: 2 },
    ],
    [
      'a cell',
      'NotebookEdit',
      { notebook_path: 'n.ipynb', cell_id: 'c1', new_source: 'a\nB\nC' },
      { path: 'n.ipynb', op: 'edit', lines: 2 },
    ],
    [
      'a cell taken out',
      'NotebookEdit',
      { notebook_path: 'n.ipynb', cell_id: 'cell-1', edit_mode: 'delete' },
      { path: 'n.ipynb', op: 'edit', lines: 1 },
    ],
    [
      'a cell put in',
      'NotebookEdit',
      { notebook_path: 'n.ipynb', edit_mode: 'insert', new_source: lines(7) },
      { path: 'n.ipynb', op: 'edit', lines: 7 },
    ],
    [
      'a cell that is not found',
      'NotebookEdit',
      { notebook_path: 'n.ipynb', cell_id: 'other', new_source: '' },
      { path: 'n.ipynb', op: 'edit', lines: unknownLines },
    ],
    [
      'a deletion',
      'delete_file',
      { target_file: 'a.ts' },
      { path: 'a.ts', op: 'delete', lines: 3 },
    ],
    [
      'an insertion by command',
      'str_replace_based_edit_tool',
      { command: 'insert', path: 'a.ts', insert_line: 1, insert_text: 'p\nq\n' },
      { path: 'a.ts', op: 'edit', lines: 2 },
    ],
    [
      'a sketch, which may take any line away',
      'edit_file',
      { target_file: 'a.ts', code_edit: 'x', instructions: '' },
      { path: 'a.ts', op: 'edit', lines: 3 },
    ],
  ])('WF-9: %s', (_what, tool, input, edit) => {
    expect(facts(tool, input)).toEqual({ edits: [edit] })
  })

  test.each<[string, string, unknown]>([
    ['no input', 'Edit', undefined],
    ['a list', 'Edit', []],
    ['no path', 'Write', { content: 'x' }],
    ['an empty path', 'Write', { file_path: '', content: 'x' }],
    ['a NUL in the path', 'Write', { file_path: 'a\0b', content: 'x' }],
    ['no content', 'Write', { file_path: 'a.ts' }],
    ['content that is no text', 'Write', { file_path: 'a.ts', content: { a: 1 } }],
    ['no old text', 'Edit', { file_path: 'a.ts', new_string: 'x' }],
    ['no edits', 'MultiEdit', { file_path: 'a.ts', edits: [] }],
    ['an edit that is no object', 'MultiEdit', { file_path: 'a.ts', edits: ['x'] }],
    [
      'two spellings of the path',
      'Edit',
      { file_path: 'a.ts', path: 'b.ts', old_string: '', new_string: '' },
    ],
    [
      'two spellings of the new text',
      'Edit',
      { file_path: 'a.ts', old_string: 'x', new_string: 'y', newString: lines(99) },
    ],
    [
      'a patch beside an edit',
      'Edit',
      { file_path: 'a.ts', old_string: 'x', new_string: 'y', patch: '*** Begin Patch' },
    ],
    ['a patch in no format', 'apply_patch', { command: 'rm -rf /' }],
    ['two patches', 'apply_patch', { command: '*** Begin Patch', input: '*** Begin Patch\n' }],
    ['an unknown command', 'str_replace_editor', { command: 'undo_edit', path: 'a.ts' }],
    ['fields that are only inherited', 'Write', Object.create({ file_path: 'a', content: 'b' })],
  ])('WF-9: an edit with %s cannot be read', (_what, tool, input) => {
    const { edits, unreadable } = facts(tool, input)
    expect({ edits, told: typeof unreadable }).toEqual({ edits: [], told: 'object' })
  })

  test('WF-9: the edits of one call are bounded', () => {
    const edits = (count: number) =>
      new Array(count).fill({ old_string: 'x', new_string: 'y', replace_all: true })
    const input = (count: number) => ({ file_path: 'x.ts', edits: edits(count) })
    expect(facts('MultiEdit', input(limits.patchFiles)).edits.length).toBe(1)
    expect(facts('MultiEdit', input(limits.patchFiles + 1)).unreadable).toBeTypeOf('object')
  })

  test('WF-9: edits that blow a file up are not followed to the end', () => {
    const edit = { old_string: 'x', new_string: 'x'.repeat(1000), replace_all: true }
    const input = { file_path: 'x.ts', edits: new Array(50).fill(edit) }
    expect(facts('MultiEdit', input).edits).toEqual([
      { path: 'x.ts', op: 'edit', lines: unknownLines },
    ])
  })

  test('WF-9: other tools and those of MCP servers change nothing we can name', () => {
    expect(facts('Read', { file_path: 'a.ts' })).toEqual({ edits: [] })
    expect(facts('str_replace_editor', { command: 'view', path: 'a.ts' })).toEqual({ edits: [] })
    const foreign = { server: 'fs', tool: 'Write' }
    expect(describeEdits(foreign, { file_path: 'a', content: '' }, oldTextOf)).toEqual({
      edits: [],
    })
  })

  test('WF-9: nothing an agent sends makes it throw, and a readable edit has a path', () => {
    const tool = fc.constantFrom(
      'Edit',
      'Write',
      'MultiEdit',
      'apply_patch',
      'NotebookEdit',
      'patch',
    )
    const key = fc.constantFrom(
      'file_path',
      'old_string',
      'new_string',
      'content',
      'edits',
      'patch',
      '__proto__',
    )
    const value = fc.oneof(fc.string(), fc.jsonValue(), fc.constant('a.ts'))
    fc.assert(
      fc.property(tool, fc.oneof(fc.jsonValue(), fc.dictionary(key, value)), (name, input) => {
        const { edits, unreadable } = facts(name, input)
        expect(unreadable === undefined ? edits.length > 0 : edits.length === 0).toBe(true)
        expect(edits.every((edit) => edit.path !== '' && edit.lines >= 0)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the tools a call needs', () => {
  const edit = (op: FileEdit['op']): FileEdit => ({ path: 'a', op, lines: 1 })

  test.each<[string, FileEdit['op'][], string]>([
    ['apply_patch', ['edit'], 'Edit'],
    ['apply_patch', ['create'], 'Write'],
    ['apply_patch', ['edit', 'create'], 'Edit Write'],
    ['apply_patch', ['delete'], 'Edit Write'],
    ['apply_patch', ['move'], 'Edit Write'],
    ['delete_file', ['delete'], 'Edit Write'],
    ['str_replace_editor', ['create'], 'Write'],
    ['Edit', ['edit'], 'Edit'],
    ['Edit', ['create'], 'Edit Write'],
    ['Write', ['create'], 'Write'],
    ['write_file', ['write'], 'Write'],
    ['NotebookEdit', ['edit'], 'NotebookEdit'],
    ['read_file', [], 'Read'],
    ['apply_patch', [], 'Edit'],
    ['other', [], 'other'],
  ])('WF-6: %s doing %j needs %s', (tool, ops, needed) => {
    expect(neededTools({ tool }, ops.map(edit)).join(' ')).toBe(needed)
  })
})
