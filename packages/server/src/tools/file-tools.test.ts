import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ToolBench } from '../../testing/tool-bench.ts'
import { builtInTools } from './all.ts'
import { toolLimits } from './limits.ts'

let bench: ToolBench
beforeEach(() => {
  bench = new ToolBench()
})
afterEach(() => bench.close())

const read = (path: string) => readFileSync(join(bench.root, path), 'utf8')

describe('the tools of a session', () => {
  test('SE-10: are these, each with a schema of its arguments', () => {
    expect(builtInTools.map((tool) => tool.name)).toEqual([
      'read_file',
      'list_files',
      'grep',
      'search',
      'edit_file',
      'write_file',
      'apply_patch',
      'bash',
      'run_command',
      'git_status',
      'git_diff',
      'git_commit',
      'git_checkout',
      'git_apply',
    ])
    for (const tool of builtInTools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    }
  })

  test('SE-4: arguments that do not fit are news for the model', async () => {
    expect(await bench.text('read_file', { file: 'x' })).toMatch(/^ERROR invalid_arguments: /)
    expect(await bench.text('read_file', 'not JSON')).toMatch(/^ERROR invalid_arguments: /)
  })
})

describe('reading', () => {
  test('SE-10: a file is read whole or by lines', async () => {
    bench.put({ 'a.txt': 'one\ntwo\nthree\n' })
    expect(await bench.text('read_file', { path: 'a.txt' })).toBe('one\ntwo\nthree')
    expect(await bench.text('read_file', { path: join(bench.root, 'a.txt'), offset: 3 })).toBe(
      'three',
    )
    expect(await bench.text('read_file', { path: 'a.txt', offset: 2, limit: 1 })).toBe(
      'two\n[lines 2 to 2 of 3]',
    )
    expect(await bench.text('read_file', { path: 'a.txt', offset: 4 })).toBe(
      'ERROR no_such_line: a.txt has 3 lines.',
    )
  })

  test('SE-10: what is no text, no file or too large is said to be so', async () => {
    bench.put({ 'b.bin': 'a\0b', 'big.txt': 'x'.repeat(6 * 1024 * 1024), 'dir/c.txt': '' })
    expect(await bench.text('read_file', { path: 'b.bin' })).toMatch(/^ERROR not_text/)
    expect(await bench.text('read_file', { path: 'big.txt' })).toMatch(/^ERROR too_large/)
    expect(await bench.text('read_file', { path: 'dir' })).toMatch(/^ERROR not_a_file/)
    expect(await bench.text('read_file', { path: 'none' })).toBe(
      'ERROR not_found: There is no none.',
    )
    expect(await bench.text('read_file', { path: 'dir/c.txt/d' })).toMatch(/^ERROR not_/)
  })

  test('SE-10: a result is bounded', async () => {
    bench.put({ 'wide.txt': 'x'.repeat(toolLimits.resultBytes + 10) })
    const text = await bench.text('read_file', { path: 'wide.txt' })
    expect(text.endsWith('\n[10 characters left out]')).toBe(true)
  })

  test('SE-10: files are listed by name, without what tools make', async () => {
    bench.put({ 'src/a.ts': '', 'src/b.md': '', 'node_modules/x.js': '', '.git/HEAD': '' })
    expect(await bench.text('list_files', {})).toBe('src/a.ts\nsrc/b.md')
    expect(await bench.text('list_files', { path: 'src', glob: '*.ts' })).toBe('a.ts')
    expect(await bench.text('list_files', { glob: 'nothing' })).toBe('No files.')
    expect(await bench.text('list_files', { path: 'src/a.ts' })).toMatch(/^ERROR not_a_folder/)
  })

  test('SE-10: lines are found by a pattern or by words', async () => {
    bench.put({ 'a.txt': 'Alpha\nbeta\n', 'deep/beta.md': 'gamma\n' })
    expect(await bench.text('grep', { pattern: '^b.t' })).toBe('a.txt:2:beta')
    expect(await bench.text('grep', { pattern: 'alpha', ignore_case: true })).toBe('a.txt:1:Alpha')
    expect(await bench.text('grep', { pattern: 'a', path: 'deep/beta.md' })).toBe(
      'deep/beta.md:1:gamma',
    )
    expect(await bench.text('search', { query: 'BETA' })).toBe('a.txt:2:beta\ndeep/beta.md')
    expect(await bench.text('grep', { pattern: '(' })).toMatch(/^ERROR invalid_regex/)
    expect(await bench.text('grep', { pattern: 'x', path: '../' })).toMatch(/^ERROR outside_/)
  })

  test('SE-10a: a pattern that never ends is given up and holds up nobody', async () => {
    bench.put({ 'a.txt': `${'a'.repeat(40)}!\n` })
    const endless = { pattern: '^(a+)+$' }
    expect(await bench.text('grep', endless, { timeoutMs: 500 })).toMatch(/^ERROR search_timeout/)
    // It goes on until it is stopped, and others are answered meanwhile.
    const stopping = new AbortController()
    const under = bench.text('grep', endless, { signal: stopping.signal })
    expect(await bench.text('list_files', {})).toBe('a.txt')
    stopping.abort()
    expect(await under).toBe('FAILED canceled')
  })
})

describe('editing', () => {
  test('SE-10: a file is written whole, and keeps its rights', async () => {
    bench.put({ 'run.sh': 'old' })
    chmodSync(join(bench.root, 'run.sh'), 0o750)
    expect(await bench.text('write_file', { path: 'run.sh', content: 'new' })).toBe('Wrote run.sh.')
    expect(await bench.text('write_file', { path: 'x/y/z.txt', content: '' })).toBe(
      'Created x/y/z.txt.',
    )
    expect(read('run.sh')).toBe('new')
    expect(statSync(join(bench.root, 'run.sh')).mode & 0o777).toBe(0o750)
    expect(readdirSync(bench.root).sort()).toEqual(['run.sh', 'x'])
    mkdirSync(join(bench.root, 'folder'))
    expect(await bench.text('write_file', { path: 'folder', content: '' })).toMatch(/^ERROR not_a/)
  })

  test('SE-10: a text is replaced where it is unique, or everywhere on demand', async () => {
    bench.put({ 'a.txt': 'x = $1\nx = $1\ny\n' })
    expect(await bench.text('edit_file', edit('z', ''))).toMatch(/^ERROR text_not_found/)
    expect(await bench.text('edit_file', edit('x = ', ''))).toMatch(/^ERROR text_not_unique/)
    expect(await bench.text('edit_file', edit('y\n', '$&\n'))).toBe('Replaced one place in a.txt.')
    expect(await bench.text('edit_file', { ...edit('x', 'z'), replace_all: true })).toBe(
      'Replaced 2 places in a.txt.',
    )
    expect(read('a.txt')).toBe('z = $1\nz = $1\n$&\n')
  })

  const edit = (old_string: string, new_string: string) => ({
    path: 'a.txt',
    old_string,
    new_string,
  })

  test('SE-10: a patch changes, makes, moves and deletes files', async () => {
    bench.put({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'gone\n', 'c.txt': 'moved\n' })
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.txt',
      '@@ one',
      '-two',
      '+2',
      '*** Delete File: b.txt',
      '*** Update File: c.txt',
      '*** Move to: d/c.txt',
      '-moved',
      '+here',
      '*** Add File: e.txt',
      '+new',
      '*** End Patch',
    ].join('\n')
    expect(await bench.text('apply_patch', { patch })).toBe(
      'Applied to a.txt, b.txt, c.txt, d/c.txt, e.txt.',
    )
    expect(read('a.txt')).toBe('one\n2\nthree\n')
    expect(read('d/c.txt')).toBe('here\n')
    expect(read('e.txt')).toBe('new\n')
    expect(existsSync(join(bench.root, 'b.txt'))).toBe(false)
    expect(existsSync(join(bench.root, 'c.txt'))).toBe(false)
  })

  test('SE-10: a unified diff is applied as well, also to lines that end in CR LF', async () => {
    bench.put({ 'a.txt': 'one\r\ntwo\r\nthree\r\n' })
    const patch = [
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      '+2',
      '@@ -3,0 +4,1 @@',
      '+four',
      '',
    ].join('\n')
    expect(await bench.text('apply_patch', { patch })).toBe('Applied to a.txt.')
    expect(read('a.txt')).toBe('one\r\n2\r\nthree\r\nfour\r\n')
  })

  test('SE-10: a patch that does not fit in one place changes nothing at all', async () => {
    bench.put({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    const update = (path: string, line: string) => `*** Update File: ${path}\n-${line}\n+x\n`
    const patch = (...pieces: string[]) => `*** Begin Patch\n${pieces.join('')}*** End Patch`
    const wrong = patch(update('a.txt', 'one'), update('b.txt', 'three'))
    expect(await bench.text('apply_patch', { patch: wrong })).toMatch(/^ERROR patch_does_not_fit/)
    const taken = patch('*** Add File: a.txt\n+x\n')
    expect(await bench.text('apply_patch', { patch: taken })).toMatch(/^ERROR already_exists/)
    expect(await bench.text('apply_patch', { patch: 'hello' })).toMatch(/^ERROR patch_unreadable/)
    expect(read('a.txt') + read('b.txt')).toBe('one\ntwo\n')
  })
})
