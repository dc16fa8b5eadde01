import fc from 'fast-check'
import picomatch from 'picomatch'
import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { compileGlob, globFault } from './glob.ts'

describe('globs', () => {
  test.each([
    ['*.js', 'app.js', true],
    ['*.js', 'src/app.js', false],
    ['**/*.js', 'app.js', true],
    ['**/*.js', 'src/app.js', true],
    ['**/*.js', 'src/deep/er/app.js', true],
    ['**/*.js', 'src/app.ts', false],
    ['site/pb/**/*.js', 'site/pb/hooks.js', true],
    ['site/pb/**/*.js', 'site/pb/a/b/hooks.js', true],
    ['site/pb/**/*.js', 'site/pbx/hooks.js', false],
    ['site/pb/**/*.js', 'other/site/pb/hooks.js', false],
    ['**/*.env*', '.env', true],
    ['**/*.env*', '.env.local', true],
    ['**/*.env*', 'deploy/.env.production', true],
    ['**/*.env*', 'deploy/env', false],
    ['src/?.rs', 'src/a.rs', true],
    ['src/?.rs', 'src/ab.rs', false],
    ['src/?.rs', 'src/.rs', false],
  ])('WF-30: %s for %s: %s', (pattern, path, matches) => {
    expect(compileGlob(pattern)(path)).toBe(matches)
  })

  test.each([
    ['src/**', 'src/a', true],
    ['src/**', 'src', true],
    ['src/**', 'srcx/a', false],
    ['**', 'anything/at/all', true],
    ['a/**/b/**/c', 'a/b/c', true],
    ['a/**/b/**/c', 'a/x/b/y/z/c', true],
    ['a/**/b/**/c', 'a/x/c', false],
    ['a**b', 'a/b', false],
    ['a**b', 'axxb', true],
    ['a?b', 'a/b', false],
    ['a/*', 'a/', true],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
    ['app/[id]/page.tsx', 'app/i/page.tsx', false],
    ['a+b(c).$^|js', 'a+b(c).$^|js', true],
    ['a.js', 'aXjs', false],
    ['**/*.{js,ts{,x}}', 'a/b.tsx', true],
    ['**/*.{js,ts{,x}}', 'b.ts', true],
    ['**/*.{js,ts{,x}}', 'b.jsx', false],
    ['./a/*.js', 'a/b.js', true],
    ['?.txt', '🙂.txt', true],
    ['*.JS', 'a.js', false],
    ['/etc/**', '/etc/passwd', true],
    ['etc/**', '/etc/passwd', false],
  ])('WF-30: %s for %s: %s (beyond the table)', (pattern, path, matches) => {
    expect(compileGlob(pattern)(path)).toBe(matches)
  })

  test.each(['', '!a', '@(a|b)', 'a\\b', 'dir/', '../a', 'a/../b', '{a', 'a}', '}{', '{a,{b}'])(
    'WF-3: the pattern %j has a fault and matches nothing',
    (pattern) => {
      expect(typeof globFault(pattern)).toBe('string')
      expect(['', 'a', 'b', pattern].filter(compileGlob(pattern))).toEqual([])
    },
  )

  test('WF-3: length and the number of alternatives are bounded', () => {
    expect(globFault('a'.repeat(limits.globLength))).toBeUndefined()
    expect(globFault('a'.repeat(limits.globLength + 1))).toBeTypeOf('string')
    expect(globFault('{a,b}'.repeat(6))).toBeUndefined()
    expect(globFault('{a,b}'.repeat(7))).toBeTypeOf('string')
    expect(globFault('{a,b}'.repeat(90))).toBeTypeOf('string')
    expect(globFault('{'.repeat(400))).toBeTypeOf('string')
  })

  test('WF-30: patterns made to be slow are not', () => {
    // A library that makes regular expressions was still busy with the first after a minute.
    expect(compileGlob('*a*a*a*a*a*b')('a'.repeat(300))).toBe(false)
    expect(compileGlob(`${'*a'.repeat(200)}b`)('a'.repeat(4000))).toBe(false)
    expect(compileGlob(`${'**/a/'.repeat(90)}b`)('a/'.repeat(2000))).toBe(false)
    expect(compileGlob(`${'**/*a*/'.repeat(60)}b`)('aaaa/'.repeat(800))).toBe(false)
  })

  /** The rule read aloud: tries everything, slowly. */
  function slowMatch(marks: readonly string[], path: readonly string[]): boolean {
    const [mark, ...rest] = marks
    const [name, ...others] = path
    if (mark === undefined) return name === undefined
    if (mark === '**' && slowMatch(rest, path)) return true
    if (name === undefined) return false
    if (mark === '**') return slowMatch(marks, others)
    return slowSegment(mark, name) && slowMatch(rest, others)
  }

  function slowSegment(mark: string, name: string): boolean {
    if (mark === '') return name === ''
    if (mark[0] === '*' && slowSegment(mark.slice(1), name)) return true
    if (name === '') return false
    if (mark[0] === '*') return slowSegment(mark, name.slice(1))
    return (mark[0] === '?' || mark[0] === name[0]) && slowSegment(mark.slice(1), name.slice(1))
  }

  test('WF-30: the answer is that of trying everything', () => {
    const mark = fc.oneof(fc.constant('**'), fc.stringMatching(/^[ab*?]{1,4}$/))
    const name = fc.stringMatching(/^[ab]{1,5}$/)
    fc.assert(
      fc.property(fc.array(mark, { minLength: 1, maxLength: 5 }), fc.array(name), (marks, path) => {
        fc.pre(!marks.some((one) => one !== '**' && one.includes('**')) && path.length > 0)
        expect(compileGlob(marks.join('/'))(path.join('/'))).toBe(slowMatch(marks, path))
      }),
      { numRuns: 2000 },
    )
  })

  test('WF-30: the answer is that of picomatch where patterns mean the same', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.a',
      'ab',
      '*',
      '?',
      '**',
      'a*',
      '*b',
      '?b',
      '*.a',
      '{a,b}',
    )
    const pattern = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join('/'))
    const name = fc.constantFrom('a', 'b', '.a', 'ab', 'abb', 'x.a', '.ab')
    const path = fc
      .array(name, { minLength: 1, maxLength: 5 })
      .map((segments) => segments.join('/'))
    const options = { dot: true, noextglob: true, nonegate: true, nobracket: true }
    fc.assert(
      fc.property(pattern, path, (glob, file) => {
        // There `*/**` wants two segments, while here `**` also matches none.
        fc.pre(!/[*?}][^/]*(?:\/\*\*)+$/.test(glob))
        expect(compileGlob(glob)(file)).toBe(picomatch(glob, options)(file))
      }),
      { numRuns: 3000 },
    )
  })

  test('WF-30: a pattern without wildcards matches itself and nothing else', () => {
    const name = fc.stringMatching(/^[a-z.[\]()$^|+ -]{1,8}$/)
    const path = fc
      .array(name, { minLength: 1, maxLength: 3 })
      .map((segments) => segments.join('/'))
    fc.assert(
      fc.property(path, path, (one, other) => {
        fc.pre(globFault(one) === undefined && !/(?:^|\/)\.(?:\/|$)/.test(one))
        expect(compileGlob(one)(one)).toBe(true)
        expect(compileGlob(one)(other)).toBe(one === other)
      }),
    )
  })
})
