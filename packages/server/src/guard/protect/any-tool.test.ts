import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, judge, makeWorld, removeWorld, root } from './protect.test-kit.ts'

beforeAll(makeWorld)
afterAll(removeWorld)

const own = join(data, 'store.db')

describe('SH-18: a tool of any name', () => {
  test.each([
    // Each whole string that is a path, whatever its field is called and however deep it lies.
    ['save_note', { name: 'statewright.yaml', body: 'x' }, 'deny'],
    ['insert_edit_into_file', { where: '.claude/settings.json', code: '{}' }, 'deny'],
    ['mcp__fs__put', { a: { b: { c: { d: { e: { f: { g: { to: '.mcp.json' } } } } } } } }, 'deny'],
    ['mcp__proxy__call', { name: 'put', arguments: '{"path":".mcp.json"}' }, 'deny'],
    ['mcp__fs__write_file', { path: 'a.txt', content: 'x', also: '.mcp.json' }, 'deny'],
    ['save_note', { name: ' .mcp.json ' }, 'deny'],
    ['save_note', { name: '.github/workflows/ci.yml' }, 'ask'],
    ['save_note', { args: '--file=.mcp.json' }, 'deny'],
    ['save_note', { args: `--file=${own}` }, 'deny'],
    ['save_note', { dir: data, name: 'store.db' }, 'deny'],
    ['save_note', { root: join(root, 'sub'), rel: '.claude/settings.json' }, 'deny'],
    ['save_note', { dir: join(root, 'sub'), name: 'a.ts' }, 'allow'],
    // Reading by names that speak of nothing else.
    ['mcp__fs__read_text_file', { path: '.mcp.json' }, 'allow'],
    ['mcp__fs__list_directory_with_sizes', { path: '.codex' }, 'allow'],
    ['mcp__fs__getFileInfo', { path: '.mcp.json' }, 'allow'],
    ['mcp__fs__view_and_apply', { path: '.mcp.json' }, 'deny'],
    ['mcp__fs__get_then_sync', { path: '.mcp.json' }, 'deny'],
    ['mcp__fs__read_file', { name: own }, 'deny'],
    // What is a command is read as one.
    ['terminal', { command: `rm -rf ${data}` }, 'deny'],
    ['execute_bash', { cmd: 'echo x > .mcp.json' }, 'deny'],
    ['mcp__desktop__start_process', { command: 'cd .claude && tee settings.json' }, 'deny'],
    ['mcp__desktop__start_process', { command: 'rm -rf .' }, 'deny'],
    ['mcp__desktop__start_process', { command: 'tee', args: ['.mcp.json'] }, 'deny'],
    ['mcp__desktop__start_process', { command: 'cat .mcp.json' }, 'allow'],
    ['mcp__desktop__start_process', { command: `kill -9 ${process.pid}` }, 'deny'],
    ['mcp__desktop__start_process', { command: 'curl localhost:4747' }, 'deny'],
    ['mcp__desktop__start_process', { command: 'git -C . config core.pager x' }, 'ask'],
    ['mcp__desktop__start_process', { command: 'npm test' }, 'allow'],
    ['js_repl', { code: "fs.writeFileSync('sub/.mcp.json', '')" }, 'deny'],
    ['mcp__py__run_python', { code: `open('${own}').read()` }, 'deny'],
    ['mcp__py__run_python', { code: 'print(1)' }, 'allow'],
    // Addresses.
    ['mcp__web__navigate', { target: 'http://localhost:4747/api/runs' }, 'deny'],
    ['mcp__net__connect', { to: '127.0.0.1:4747' }, 'deny'],
    ['mcp__net__connect', { host: 'localhost', port: 4747 }, 'deny'],
    ['mcp__net__connect', { host: 'localhost', port: '4747' }, 'deny'],
    ['mcp__net__connect', { host: 'localhost', port: 3000 }, 'allow'],
    ['mcp__notes__add', { text: 'see localhost:4747 and .mcp.json' }, 'allow'],
  ])('%s %j: %s', (tool, input, answer) => {
    expect(judge(tool, input)).toBe(answer)
  })
})

describe('SH-18: text is not searched', () => {
  const guide = fileURLToPath(new URL('../../../../../docs/guide/', import.meta.url))
  const spec = fileURLToPath(new URL('../../../../../docs/spec/', import.meta.url))
  const pages = [guide, spec].flatMap((folder) =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const),
  )

  test.each([
    ['Write', (path: string, text: string) => ({ file_path: path, content: text })],
    [
      'Edit',
      (path: string, text: string) => ({ file_path: path, old_string: text, new_string: text }),
    ],
    ['write_file', (path: string, text: string) => ({ path, content: text })],
    ['mcp__fs__write_file', (path: string, text: string) => ({ path, content: text })],
    ['mcp__wiki__save', (path: string, text: string) => ({ page: path, markdown: text })],
    ['insert_edit_into_file', (path: string, text: string) => ({ filePath: path, code: text })],
    ['mcp__kv__put', (path: string, text: string) => ({ key: path, value: text })],
    ['save_note', (path: string, text: string) => ({ name: path, lines: text.split('\n\n') })],
  ])('%s writes every page of our own guide and rules', (tool, input) => {
    for (const [name, text] of pages) {
      const path = join(root, 'docs', name)
      expect([name, judge(tool, input(path, text))]).toEqual([name, 'allow'])
    }
  })
})
