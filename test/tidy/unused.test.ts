import { describe, expect, test } from 'vitest'
import { frontDoors } from './house.ts'
import { parse } from './syntax.ts'
import { isSource, readTree, shown } from './tree.ts'
import { type FrontDoors, unusedExports } from './unused.ts'

const sources = readTree()
  .filter((file) => isSource(file.path))
  .map(parse)

describe('the tree', () => {
  test('every export is used, and not by tests alone', () => {
    expect(shown(unusedExports(sources, frontDoors))).toEqual([])
  })

  test('what is let through is there', () => {
    const paths = sources.map(({ path }) => path)
    const front = sources.find(
      ({ path }) => path === frontDoors.files['@statewright/core/internal'],
    )
    expect(frontDoors.open.filter((path) => !paths.includes(path))).toEqual([])
    expect(Object.keys(frontDoors.names).filter((name) => !front?.text.includes(name))).toEqual([])
  })
})

describe('an export that nobody needs is found', () => {
  const home = 'packages/core/src/base'
  const doors: FrontDoors = {
    files: { '@statewright/core': 'packages/core/src/index.ts' },
    open: ['packages/server/src/sdk.ts'],
    names: { promised: 'reason' },
  }
  const found = (files: Readonly<Record<string, string>>) =>
    shown(
      unusedExports(
        Object.entries(files).map(([path, text]) => parse({ path, text })),
        doors,
      ),
    )

  test.each([
    ['export const a = 1', ['nothing uses a']],
    [
      'export const a = 1\nexport const b = a',
      ['a is used in its own file only', 'nothing uses b'],
    ],
    ['export type A = 1', ['nothing uses A']],
    ['type A = 1\nexport { type A }', []],
    ['export const A = 1\nexport type A = typeof A', ['nothing uses A', 'nothing uses A']],
    ['export interface A { a: A }', ['nothing uses A']],
    ["export { a } from './b.ts'", ['nothing uses a']],
    ['const a = 1', []],
  ])('%s', (text, messages) => {
    const output = found({ [`${home}/a.ts`]: text })
    expect(output.map((line) => line.replace(/^\S+ /, ''))).toEqual(messages)
  })

  const text = 'export const a = 1'
  const use = "import { a } from './a.ts'"

  test.each([
    ['another file', `${home}/b.ts`, use, []],
    ['a test', `${home}/a.test.ts`, use, ['only tests use a']],
    ['a kit of tests', `${home}/b.test-kit.ts`, use, ['only tests use a']],
    [
      'a measurement',
      'bench/b.ts',
      "import { a } from '../packages/core/src/base/a.ts'",
      ['only tests use a'],
    ],
    ['a script', 'scripts/b.ts', "import { a } from '../packages/core/src/base/a.ts'", []],
    ['a file that takes all of it', `${home}/b.ts`, "import * as all from './a.ts'", []],
    ['a file that loads it later', `${home}/b.ts`, "const all = import('./a.ts')", []],
    [
      'a file that takes something else',
      `${home}/b.ts`,
      "import { c } from './a.ts'",
      ['nothing uses a'],
    ],
    ['a name of its own', `${home}/b.ts`, 'const a = 1', ['nothing uses a']],
  ])('used by %s', (_who, path, other, messages) => {
    const output = found({ [`${home}/a.ts`]: text, [path]: other })
    expect(output.map((line) => line.replace(/^\S+ /, ''))).toEqual(messages)
  })

  test('what runs in its own file may be looked at by a test', () => {
    const both = `${text}\nconst b = a`
    expect(found({ [`${home}/a.ts`]: both, [`${home}/a.test.ts`]: use })).toEqual([])
  })

  test('a front door passes on values that somebody uses, and types', () => {
    const files = {
      [`${home}/a.ts`]: 'export const a = 1\nexport const promised = 2\nexport type A = 1',
      'packages/core/src/index.ts': "export { type A, a, promised } from './base/a.ts'",
    }
    const message = 'nothing uses a'
    expect(found(files)).toEqual([
      `${home}/a.ts:1 ${message}`,
      `packages/core/src/index.ts:1 ${message}`,
    ])
    const user = "import { a } from '@statewright/core'"
    expect(found({ ...files, 'packages/server/src/b.ts': user })).toEqual([])
  })

  test('an open front door passes on everything', () => {
    const files = {
      'packages/server/src/a.ts': text,
      'packages/server/src/sdk.ts': "export { a } from './a.ts'",
    }
    expect(found(files)).toEqual([])
  })
})
