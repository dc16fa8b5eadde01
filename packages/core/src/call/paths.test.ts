import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { workspacePath } from './paths.ts'

describe('a path in the workspace', () => {
  test.each([
    ['src/a.ts', '/w', 'src/a.ts'],
    ['./src//a.ts', '/w', 'src/a.ts'],
    ['src/../b.ts', '/w/', 'b.ts'],
    ['/w/src/a.ts', '/w', 'src/a.ts'],
    ['/w/src/', '/w', 'src'],
    ['/w', '/w', '.'],
    ['', '/w', '.'],
    ['../w/a', '/w', 'a'],
    ['../x', '/w', '/x'],
    ['/wx/a', '/w', '/wx/a'],
    ['/w/../etc/passwd', '/w', '/etc/passwd'],
    ['../../../../etc', '/w', '/etc'],
    ['a\\b.ts', '/w', 'a\\b.ts'],
    ['/etc/x', '/', 'etc/x'],
    ['..a/b', '/w', '..a/b'],
    ['src\\a.ts', 'C:\\work', 'src/a.ts'],
    ['c:\\Work\\src\\a.ts', 'C:\\work', 'src/a.ts'],
    ['D:\\x\\a.ts', 'C:\\work', 'D:/x/a.ts'],
    ['__proto__', '/w', '__proto__'],
  ])('WF-30: %s under %s is %s', (path, root, expected) => {
    expect(workspacePath(path, root)).toBe(expected)
  })

  test('WF-10: spelling a file otherwise gives the same path, whatever the spelling', () => {
    const part = fc.constantFrom('a', 'b', '.', '..', '', 'c d')
    const path = fc.array(part, { maxLength: 8 }).map((segments) => segments.join('/'))
    fc.assert(
      fc.property(path, (given) => {
        const once = workspacePath(given, '/w/x')
        expect(workspacePath(once, '/w/x')).toBe(once)
        expect(workspacePath(`${given}/./`, '/w/x')).toBe(given === '' ? '/' : once)
        expect(once.split('/').includes('..')).toBe(false)
      }),
    )
  })
})
