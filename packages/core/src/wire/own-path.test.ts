import { describe, expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

const home = 'http://127.0.0.1:4747'

describe('where somebody is led after a login', () => {
  test.each([
    '/',
    '/runs/run_1?at=4#x',
    '/runs?search=a//b',
    '/docs/security#a\\b',
    '/memory?project=%2Fhome%2Fann',
  ])('PE-12a: %s is a page of ours', (path) => {
    expect(ownPath(path)).toBe(path)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/../..//evil.example',
    '/%2e//evil.example',
    '/./\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)//',
    'data:text/html,x',
    'https://evil.example/',
    'evil.example',
    '',
    `/${'a'.repeat(2001)}`,
    undefined,
    7,
  ])('PE-12a: %j leads to the first page', (path) => {
    expect(ownPath(path)).toBe('/')
  })

  test('PE-12a: whatever it gives, a browser stays here with it, twice over', () => {
    const pieces = ['/', '\\', '.', '..', 'evil.example', '%2e', '%2f', '\t', '@', ':', '?', '#']
    let seed = 7
    const next = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return pieces[seed % pieces.length]
    }
    for (let times = 0; times < 20_000; times++) {
      const tried = Array.from({ length: 1 + (times % 7) }, next).join('')
      const once = new URL(ownPath(tried), home)
      expect(once.origin).toBe(home)
      // What the address bar then shows is a path as well.
      expect(new URL(once.pathname + once.search + once.hash, home).origin, tried).toBe(home)
    }
  })
})
