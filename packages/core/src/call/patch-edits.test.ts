import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { unknownLines } from './file-edit.ts'
import { patchEdits, patchTextIn } from './patch-edits.ts'

const oldTextOf = (path: string) => (path === 'old.ts' ? 'a\nb\n' : undefined)
const facts = (text: string) => patchEdits(text, oldTextOf)
const patch = (...body: string[]) => ['*** Begin Patch', ...body, '*** End Patch'].join('\n')

describe('the patch format of Codex', () => {
  test('WF-9, WF-10: each file is one operation with its own lines', () => {
    const text = patch(
      '*** Add File: new.ts',
      '+one',
      '+two',
      '*** Update File: src/a.ts',
      '@@ class A',
      ' keep',
      '-x',
      '+y',
      '+z',
      '@@',
      '-gone',
      '*** End of File',
      '*** Delete File: old.ts',
      '*** Update File: from.ts',
      '*** Move to: to.ts',
      '@@',
      '-p',
      '+q',
    )
    expect(facts(text)).toEqual({
      edits: [
        { path: 'new.ts', op: 'create', lines: 2 },
        { path: 'src/a.ts', op: 'edit', lines: 2 },
        { path: 'old.ts', op: 'delete', lines: 2 },
        { path: 'from.ts', op: 'move', lines: 1 },
        { path: 'to.ts', op: 'move', lines: 1 },
      ],
    })
  })

  test('WF-9: a file named twice counts as one operation', () => {
    const text = patch('*** Update File: a', '-x', '+y', '*** Update File: a', '-p', '+q', '+r')
    expect(facts(text)).toEqual({ edits: [{ path: 'a', op: 'edit', lines: 3 }] })
  })

  test('WF-9: adding over a known file counts against it, an unknown deletion is unbounded', () => {
    expect(facts(patch('*** Add File: old.ts', '+a', '+c'))).toEqual({
      edits: [{ path: 'old.ts', op: 'write', lines: 1 }],
    })
    expect(facts(patch('*** Delete File: other'))).toEqual({
      edits: [{ path: 'other', op: 'delete', lines: unknownLines }],
    })
  })

  test('WF-9: space around markers, Windows line ends and a here-document are understood', () => {
    const edits = [{ path: 'a', op: 'edit', lines: 1 }]
    const plain = patch('*** Update File: a', '@@', '-x', '+y')
    expect(facts(`\n  ${plain.replaceAll('\n', '\r\n')}\n`)).toEqual({ edits })
    expect(facts(`<<'EOF'\n${plain}\nEOF\n`)).toEqual({ edits })
  })

  test.each([
    ['no end', '*** Begin Patch\n*** Delete File: a'],
    ['nothing in it', patch()],
    ['an unknown header', patch('*** Remove File: a')],
    ['a line outside a file', patch('hello', '*** Delete File: a')],
    ['a new file with a stray line', patch('*** Add File: a', 'x')],
    ['a deletion with lines', patch('*** Delete File: a', '-x')],
    ['an update with a stray line', patch('*** Update File: a', '@@', 'x')],
    ['no name', patch('*** Delete File: ')],
    ['a marker hidden as context', patch('*** Update File: a', '@@', ' x', ' *** Delete File: b')],
    ['a late move', patch('*** Update File: a', '-x', '*** Move to: b')],
    ['a second patch inside', patch('*** Update File: a', '-x', '*** End Patch', '+y')],
  ])('WF-9: a patch with %s cannot be read', (_what, text) => {
    const { edits, unreadable } = facts(text)
    expect({ edits, told: typeof unreadable }).toEqual({ edits: [], told: 'object' })
  })
})

test('WF-10: the files of one patch are bounded', () => {
  const deletions = (count: number) =>
    Array.from({ length: count }, (_, index) => `*** Delete File: ${index}`)
  expect(facts(patch(...deletions(limits.patchFiles))).edits.length).toBe(limits.patchFiles)
  expect(facts(patch(...deletions(limits.patchFiles + 1)))).toMatchObject({
    edits: [],
    unreadable: { phrase: expect.any(String) },
  })
})

describe('a unified diff', () => {
  const git = [
    'diff --git a/src/a.ts b/src/a.ts',
    'index 111..222 100644',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1,3 +1,4 @@ function x()',
    ' keep',
    '--- a/not-a-header',
    '+y',
    '+z',
    ' keep',
    'diff --git a/new.ts b/new.ts',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/new.ts',
    '@@ -0,0 +1,2 @@',
    '+one',
    '+two',
    '\\ No newline at end of file',
    'diff --git a/old.ts b/old.ts',
    'deleted file mode 100644',
    '--- a/old.ts',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    '-a',
    '-b',
    'diff --git a/p q.ts b/r.ts',
    'similarity index 100%',
    'rename from p q.ts',
    'rename to r.ts',
    '',
  ].join('\n')

  test('WF-9, WF-10: from git, with a new, a deleted and a renamed file', () => {
    expect(facts(git)).toEqual({
      edits: [
        { path: 'src/a.ts', op: 'edit', lines: 2 },
        { path: 'new.ts', op: 'create', lines: 2 },
        { path: 'old.ts', op: 'delete', lines: 2 },
        { path: 'p q.ts', op: 'move', lines: 0 },
        { path: 'r.ts', op: 'move', lines: 0 },
      ],
    })
  })

  test('WF-9: a plain one with time stamps', () => {
    const text = '--- x.c\t2026-01-01\n+++ x.c\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n'
    expect(facts(text)).toEqual({ edits: [{ path: 'x.c', op: 'edit', lines: 1 }] })
  })

  test.each([
    ['a hunk cut short', '--- a\n+++ a\n@@ -1,2 +1,2 @@\n-a\n+b'],
    ['lines after a hunk', '--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n+c\n'],
    ['binary content', 'diff --git a/x b/x\nGIT binary patch\n+++ b/x\n'],
    ['a quoted name', '--- "a/\\303"\n+++ "b/\\303"\n@@ -1 +1 @@\n-a\n+b\n'],
    ['names that disagree', 'diff --git a/x b/x\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n'],
    ['one name only', '--- a/x\n@@ -1 +1 @@\n-a\n+++ b/x\n'],
  ])('WF-9: one with %s cannot be read', (_what, text) => {
    const { edits, unreadable } = facts(text)
    expect({ edits, told: typeof unreadable }).toEqual({ edits: [], told: 'object' })
  })
})

test('WF-9: the patch is found as the input, in a field, or as the argument of a command', () => {
  const text = '*** Begin Patch'
  const inputs = [text, { command: text }, { input: text }, { patchText: text }]
  expect(inputs.map(patchTextIn)).toEqual([text, text, text, text])
  expect(patchTextIn({ command: ['apply_patch', text] })).toBe(text)
  expect(patchTextIn({ command: ['bash', '-lc', text] })).toBeUndefined()
})
