import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openShield, ToolBench } from '../../testing/tool-bench.ts'

let bench: ToolBench
beforeEach(() => {
  bench = new ToolBench()
})
afterEach(() => bench.close())

const inRoot = (path: string) => join(bench.root, path)

describe('git for an agent', () => {
  test('SE-10: status, diff, commit and checkout work on the workspace', async () => {
    bench.repository({ 'a.txt': 'one\n' })
    bench.put({ 'a.txt': 'two\n', 'b.txt': 'new\n' })
    expect(await bench.text('git_status', {})).toBe('## main\n M a.txt\n?? b.txt\n')
    expect(await bench.text('git_diff', {})).toContain('-one\n+two\n')
    expect(await bench.text('git_commit', { message: 'Go on', paths: ['b.txt'] })).toBe(
      '(no output)',
    )
    expect(await bench.text('git_diff', { ref: 'HEAD~1', paths: ['b.txt'] })).toContain('+new')
    expect(await bench.text('git_checkout', { paths: ['a.txt'] })).toBe('(no output)')
    expect(readFileSync(inRoot('a.txt'), 'utf8')).toBe('one\n')
    expect(await bench.text('git_checkout', { ref: 'topic', create: true })).toBe('(no output)')
    expect(await bench.text('git_status', {})).toBe('## topic\n')
    bench.put({ 'c.txt': 'three\n' })
    expect(await bench.text('git_commit', { message: '-m is no option' })).toBe('(no output)')
    expect(bench.git('log', '--format=%s', '-2')).toBe('-m is no option\nGo on\n')
  })

  test('SE-10: a diff is applied, to the index as well where wanted', async () => {
    bench.repository({ 'a.txt': 'one\n' })
    const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n'
    expect(await bench.text('git_apply', { patch, index: true })).toBe('Applied.')
    expect(await bench.text('git_diff', { staged: true })).toContain('+two')
    expect(await bench.text('git_apply', { patch })).toMatch(/^ERROR exit_1/)
  })

  test('SE-10: a diff cannot write through a link or above the root', async () => {
    bench.repository({ 'a.txt': 'one\n' })
    symlinkSync(bench.around, inRoot('up'))
    for (const path of ['up/new.txt', '../new.txt']) {
      const patch = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`
      expect(await bench.text('git_apply', { patch })).toMatch(/^ERROR exit_/)
    }
    expect(existsSync(join(bench.around, 'new.txt'))).toBe(false)
  })

  test('SE-10: names of commits are no options', async () => {
    bench.repository({ 'a.txt': 'one\n' })
    const refs = ['--output=stolen', '-b', '--no-index', 'a b', 'a..b', '']
    for (const ref of refs) {
      expect(await bench.text('git_diff', { ref })).toMatch(/^ERROR invalid_arguments/)
      expect(await bench.text('git_checkout', { ref })).toMatch(/^ERROR invalid_arguments/)
    }
  })
})

describe('a repository that brings programs of its own', () => {
  /** A program that leaves a trace, and settings in every place where git looks for programs. */
  function hostile(): void {
    bench.repository({ 'a.txt': 'one\n', '.gitattributes': '*.txt diff=evil\n' })
    const program = inRoot('.git/evil')
    writeFileSync(program, `#!/bin/sh\ntouch "${bench.around}/ran"\ncat "$@" 2>/dev/null\n`)
    chmodSync(program, 0o755)
    const hooks = ['pre-commit', 'post-checkout', 'post-commit', 'prepare-commit-msg', 'commit-msg']
    mkdirSync(inRoot('.git/hooks'), { recursive: true })
    for (const hook of [...hooks, 'post-index-change', 'reference-transaction']) {
      writeFileSync(inRoot(`.git/hooks/${hook}`), readFileSync(program))
      chmodSync(inRoot(`.git/hooks/${hook}`), 0o755)
    }
    const keys = [
      ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass'],
      ...['diff.external', 'diff.evil.textconv', 'diff.evil.command', 'gpg.program'],
      ...['pager.diff', 'pager.status', 'alias.status', 'credential.helper'],
    ]
    for (const key of keys) bench.git('config', key, program)
    bench.git('config', 'commit.gpgSign', 'true')
  }

  test('SE-10a: none of them runs', async () => {
    hostile()
    bench.put({ 'a.txt': 'two\n' })
    expect(await bench.text('git_status', {})).toContain(' M a.txt')
    expect(await bench.text('git_diff', {})).toContain('-one\n+two')
    expect(await bench.text('git_commit', { message: 'x' })).toBe('(no output)')
    expect(await bench.text('git_checkout', { ref: 'topic', create: true })).toBe('(no output)')
    expect(await bench.text('git_checkout', { ref: 'main' })).toBe('(no output)')
    expect(existsSync(join(bench.around, 'ran'))).toBe(false)
  })

  test('SE-10a: filters are not run, and nothing is stored past them', async () => {
    hostile()
    bench.put({ '.gitattributes': '*.txt filter=a=b\n', 'a.txt': 'two\n' })
    const program = inRoot('.git/evil')
    const config = readFileSync(inRoot('.git/config'), 'utf8')
    const keys = [`clean = ${program}`, `smudge = ${program}`, 'required = true']
    const filter = `[filter "a=b"]\n\t${keys.join('\n\t')}\n`
    writeFileSync(inRoot('.git/config'), config + filter)
    expect(await bench.text('git_diff', {})).toContain('+two')
    expect(await bench.text('git_status', {})).toContain(' M a.txt')
    const refused = /^ERROR git_filters: /
    expect(await bench.text('git_commit', { message: 'x' })).toMatch(refused)
    expect(await bench.text('git_checkout', { paths: ['a.txt'] })).toMatch(refused)
    expect(existsSync(join(bench.around, 'ran'))).toBe(false)
  })

  test('SE-10a: a work tree elsewhere is not used', async () => {
    bench.repository({ 'a.txt': 'one\n' })
    bench.git('config', 'core.worktree', bench.around)
    expect(await bench.text('git_status', {})).toBe('## main\n')
    await bench.text('git_checkout', { paths: ['a.txt'] })
    expect(existsSync(join(bench.around, 'a.txt'))).toBe(false)
  })

  test('SE-10a: a .git that leads to another repository is refused', async () => {
    const other = new ToolBench()
    try {
      other.repository({ 'b.txt': 'b\n' })
      const foreign = /^ERROR foreign_repository/
      bench.put({ '.git': `gitdir: ${other.root}/.git\n` })
      expect(await bench.text('git_status', {})).toMatch(foreign)
      bench.close()
      bench = new ToolBench()
      symlinkSync(join(other.root, '.git'), inRoot('.git'))
      expect(await bench.text('git_commit', { message: 'x' })).toMatch(foreign)
      bench.close()
      bench = new ToolBench()
      bench.repository({ 'a.txt': 'a\n' })
      writeFileSync(inRoot('.git/commondir'), `${other.root}/.git\n`)
      expect(await bench.text('git_status', {})).toMatch(foreign)
    } finally {
      other.close()
    }
  })

  test('SE-10: a linked worktree is a repository like any other', async () => {
    bench.repository({ 'a.txt': 'one\n' })
    const tree = join(bench.around, 'tree')
    bench.git('worktree', 'add', '-q', tree, '-b', 'topic')
    const host = { workspace: { shield: openShield, root: tree } }
    expect(await bench.text('git_status', {}, host)).toBe('## topic\n')
  })

  test('SE-10: without a repository there is none, also when one lies above', async () => {
    bench.repository({ 'sub/a.txt': 'one\n' })
    const host = { workspace: { shield: openShield, root: inRoot('sub') } }
    expect(await bench.text('git_status', {}, host)).toMatch(/^ERROR no_repository/)
  })
})
