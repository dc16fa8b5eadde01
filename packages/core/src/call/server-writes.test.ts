import { describe, expect, test } from 'vitest'
import { unknownLines } from './file-edit.ts'
import { serverWrites } from './server-writes.ts'

const old: Readonly<Record<string, string>> = { a: 'one\ntwo\nthree\n' }
const edits = (tool: string, input: unknown, named?: readonly string[]) =>
  serverWrites(tool, input, named, (path) => old[path])

describe('what a tool of a server for files writes', () => {
  test.each([
    ['write_file', { path: 'a', content: 'one\n2\nthree\n' }, [['a', 'write', 1]]],
    ['WRITE_FILE', { path: 'n', content: 'x\ny\n' }, [['n', 'write', 2]]],
    ['write_file', { path: 'n' }, [['n', 'write', unknownLines]]],
    ['write_file', { file_path: 'a', content: 'x\n', mode: 'append' }, [['a', 'write', 1]]],
    ['edit_file', { path: 'a', edits: [{ oldText: 'one', newText: '1\n2' }] }, [['a', 'edit', 2]]],
    ['edit_file', { path: 'a', edits: 'all of it' }, [['a', 'edit', 3]]],
    ['edit_file', { path: 'a', edits: [], dryRun: true }, []],
    ['edit_block', { file_path: 'a', old_string: 'one', new_string: '1' }, [['a', 'edit', 1]]],
    ['append_to_file', { path: 'a', content: 'x\ny\n' }, [['a', 'edit', 2]]],
    ['append_to_file', { path: 'n', content: 'x\ny\n' }, [['n', 'write', 2]]],
    [
      'move_file',
      { source: 'a', destination: 'b' },
      [
        ['a', 'move', 0],
        ['b', 'move', 0],
      ],
    ],
    ['create_directory', { path: 'd' }, [['d', 'create', 0]]],
    ['delete_file', { path: 'a' }, [['a', 'delete', 3]]],
    ['read_file', { path: 'a' }, []],
    ['write_file', { owner: 'o', repo: 'r', path: 'a', content: '' }, []],
    ['write_file', { path: 5, content: '' }, []],
    ['write_file', 'text', []],
  ])('WF-28a: %s %j', (tool, input, expected) => {
    const facts = edits(tool, input)
    expect(facts.edits.map(({ path, op, lines }) => [path, op, lines])).toEqual(expected)
    expect(facts.unreadable).toBeUndefined()
  })

  test('WF-28a: arguments that are known to be paths are read, one or several', () => {
    expect(edits('save', { to: ['a', 'b'], content: 'x\n' }, ['to']).edits).toEqual([
      { path: 'a', op: 'write', lines: 3 },
      { path: 'b', op: 'write', lines: 1 },
    ])
    for (const input of [{}, { to: 5 }, { to: [{}] }, { to: 'a\0b' }, 'a']) {
      expect(edits('save', input, ['to'])).toMatchObject({ edits: [], unreadable: {} })
    }
  })
})
