import { describe, expect, test } from 'vitest'
import { bannedNames } from './names.ts'
import { parse } from './syntax.ts'
import { isSource, readTree, shown } from './tree.ts'

describe('the tree', () => {
  test('no name is made of furniture, of a participle or of a word with nine senses', () => {
    const sources = readTree()
      .filter((file) => isSource(file.path))
      .map(parse)
    expect(shown(sources.flatMap((file) => bannedNames(file)))).toEqual([])
  })
})

describe('a bad name is found', () => {
  test.each([
    ['a type', 'interface Asked {}', 'Asked: say request'],
    ['a part of a longer name', 'const maxKept = 3', 'maxKept: say stored or saved'],
    ['a parameter', 'function a(parts: string) {}', 'parts: say runtime, options'],
    ['a local value', 'function a() { const mostBytes = 3 }', 'mostBytes: say max'],
    ['a member', 'interface A { readonly told: string }', 'told: say reported'],
    ['a field', 'class A { #desk = 3 }', 'desk: say registry'],
    ['what is taken out of something', 'const { path: place } = a', 'place: say path'],
  ])('as %s', (_, text, message) => {
    const found = shown(bannedNames(parse({ path: 'a.ts', text })))
    expect(found).toEqual([expect.stringContaining(`calls something ${message}`)])
  })

  test('a participle alone as a type of a package', () => {
    const file = { path: 'packages/core/src/a.ts', text: 'interface Found {}' }
    expect(shown(bannedNames(parse(file)))).toEqual([
      'packages/core/src/a.ts:1 calls a type Found: say what it is',
    ])
    expect(bannedNames(parse({ ...file, text: 'interface FoundFile {}' }))).toEqual([])
    expect(bannedNames(parse({ ...file, path: 'test/a.ts' }))).toEqual([])
  })

  test('as the name of a file', () => {
    const found = shown(bannedNames(parse({ path: 'src/token-book.ts', text: '' })))
    expect(found).toEqual(['src/token-book.ts:1 calls something token-book: say registry or cache'])
  })

  test.each([
    ['a local value that was given', 'function a(given: string) { const kept = given }'],
    ['what others call so', 'const { place } = row'],
    ['a key on the wire', 'send({ place: 1, kept: true })'],
    ['a word that only looks like one', 'const notebook = partsOf, almost = 1, partial = 2'],
  ])('not as %s', (_, text) => {
    expect(bannedNames(parse({ path: 'a.ts', text }))).toEqual([])
  })
})
