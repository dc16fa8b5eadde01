import { describe, expect, test } from 'vitest'
import corePackage from '../../packages/core/package.json' with { type: 'json' }
import dashboardPackage from '../../packages/dashboard/package.json' with { type: 'json' }
import serverPackage from '../../packages/server/package.json' with { type: 'json' }
import { againstArrows, type House, roomOf, takenNames, tooWide } from './arrows.ts'
import { maxEntrances } from './entrances.ts'
import { house } from './house.ts'
import { importRings } from './rings.ts'
import { parse } from './syntax.ts'
import { isSource, readTree, shown } from './tree.ts'

const sources = readTree()
  .filter((file) => isSource(file.path))
  .map(parse)

describe('the tree', () => {
  test('every import follows the arrows', () => {
    expect(shown(againstArrows(sources, house))).toEqual([])
  })

  test('a room is entered by few files', () => {
    expect(tooWide(sources, house, maxEntrances)).toEqual([])
  })

  test('what one room keeps for itself is imported nowhere else', () => {
    expect(shown(takenNames(sources, house))).toEqual([])
  })

  test('no file imports itself through others', () => {
    expect(importRings(sources)).toEqual([])
  })

  test('every room under a package is in the table of arrows', () => {
    const rooms = sources
      .filter((file) => /^packages\/[^/]+\/src\/[^/]+\//.test(file.path))
      .map((file) => roomOf(file.path, house))
    const unknown = [...new Set(rooms)].filter((room) => house.arrows[room] === undefined)
    expect(unknown).toEqual([])
  })

  test('the arrows themselves form no ring', () => {
    const ring = (room: string, above: readonly string[]): boolean =>
      above.includes(room) ||
      (house.arrows[room] ?? []).some((next) => ring(next, [...above, room]))
    expect(Object.keys(house.arrows).filter((room) => ring(room, []))).toEqual([])
  })

  test('a package imports from outside only what its package.json names', () => {
    const declared: Record<string, object> = {
      core: corePackage.dependencies,
      server: serverPackage.dependencies,
      dashboard: dashboardPackage.dependencies,
    }
    const undeclared = Object.entries(house.outside).flatMap(([room, names]) =>
      names
        .filter((name) => name !== 'node:')
        .filter((name) => !Object.hasOwn(declared[room.split('/')[0] ?? ''] ?? {}, name))
        .map((name) => `${room} uses ${name}`),
    )
    expect(undeclared).toEqual([])
  })
})

describe('a bad import is found', () => {
  const small: House = {
    packages: { '@statewright/core': 'core', statewright: 'server' },
    arrows: { 'core/base': [], 'core/run': ['core/base'], 'server/store': [], 'server/http': [] },
    outside: { core: ['zod'], 'core/run': ['picomatch'], server: ['@statewright/core', 'node:'] },
    entrances: { 'core/base': ['b.ts'] },
    fronts: ['core/index'],
    wide: { 'server/store': [1, 'why'] },
    reserved: { decide: 'server/store' },
  }
  const table: [path: string, text: string, message: string | undefined][] = [
    ['core/src/run/a.ts', "import { b } from '../base/b.ts'", undefined],
    ['core/src/run/a.ts', "import { b } from './b.ts'", undefined],
    ['core/src/run/a.ts', "import picomatch from 'picomatch'", undefined],
    ['server/src/store/a.ts', "import { b } from '@statewright/core'", undefined],
    ['core/src/base/a.ts', "import { b } from '../run/b.ts'", 'core/base may not import core/run'],
    ['core/src/base/a.ts', "import type { B } from '../run/b.ts'", 'core/base may not import'],
    ['core/src/base/a.ts', "export { b } from '../run/b.ts'", 'core/base may not import core/run'],
    ['core/src/base/a.ts', "const b = import('../run/b.ts')", 'core/base may not import core/run'],
    ['core/src/base/a.ts', "type B = import('../run/b.ts').B", 'core/base may not import'],
    ['core/src/base/a.ts', "import picomatch from 'picomatch'", 'may not import picomatch'],
    ['core/src/run/a.ts', "import fs from 'node:fs'", 'may not import node:'],
    ['core/src/run/a.ts', "import { b } from '../index.ts'", 'front door of its own package'],
    ['core/src/run/a.ts', "import { b } from '../internal.ts'", 'front door of its own package'],
    ['core/src/run/a.ts', "import { b } from '@statewright/core'", 'its own package by name'],
    ['core/src/run/a.test.ts', "import { b } from 'statewright'", 'may not import statewright'],
    ['core/src/run/a.ts', "import { c } from '../base/c.ts'", 'core/base is not entered by c.ts'],
    ['core/src/run/a.ts', "import { b } from '../new/b.ts'", 'core/run may not import core/new'],
    ['server/src/store/a.ts', "import { b } from '../http/b.ts'", 'may not import server/http'],
    ['server/src/http/a.ts', "import { b } from '../../../core/src/base/b.ts'", 'by a path'],
    ['server/src/http/a.test.ts', "import { b } from '../../testing/b.ts'", undefined],
    ['server/src/http/a.ts', "import { b } from '../../testing/b.ts'", 'by a path'],
    ['core/src/run/a.test.ts', "import { b } from '../../../server/testing/b.ts'", 'by a path'],
  ]
  test.each(table)('%s with %s', (path, text, message) => {
    const [first] = againstArrows([parse({ path: `packages/${path}`, text })], small)
    if (message === undefined) expect(first).toBeUndefined()
    else expect(first?.message).toContain(message)
  })

  test.each([
    ['server/src/http/a.ts', 'only server/store may import decide'],
    ['server/src/http/a.test.ts', undefined],
    ['server/src/store/a.ts', undefined],
    ['core/src/run/a.ts', undefined],
  ])('a kept name imported by %s', (path, message) => {
    const text = "import { ok, type Decision, decide as judge } from '@statewright/core'"
    const [first] = takenNames([parse({ path: `packages/${path}`, text })], small)
    expect(first?.message).toBe(message)
  })

  test('the front of a package may show any file', () => {
    const open = { ...small, arrows: { ...small.arrows, 'core/index': ['core/base'] } }
    const text = "export { c } from './base/c.ts'"
    expect(againstArrows([parse({ path: 'packages/core/src/index.ts', text })], open)).toEqual([])
  })

  test('a room with too many entrances is found', () => {
    const path = 'packages/core/src/run/a.ts'
    const two = parse({ path, text: "import '../base/b.ts'\nimport '../base/c.ts'" })
    expect(tooWide([two], small, 2)).toEqual([])
    expect(tooWide([two], small, 1)).toEqual(['core/base is entered by 2 files, not 1'])
    const from = 'packages/server/src/http/a.ts'
    const more = parse({ path: from, text: "import '../store/b.ts'\nimport '../store/c.ts'" })
    expect(tooWide([more], small, 2)).toEqual(['server/store is entered by 2 files, not 1'])
  })

  test('the folders of a divided room are rooms', () => {
    const divided: House = { ...small, divided: ['core/base'] }
    const first = (path: string, text: string, on = divided) =>
      againstArrows([parse({ path: `packages/${path}`, text })], on)[0]?.message
    const [from, text] = ['core/src/run/a.ts', "import { c } from '../base/text/c.ts'"] as const
    expect(first(from, text, small)).toBe('core/base is not entered by text/c.ts')
    expect(first(from, text)).toBe('core/run may not import core/base/text (../base/text/c.ts)')
    expect(first('core/src/base/a.ts', "import { c } from './text/c.ts'")).toContain('may not')
    const arrows = { ...small.arrows, 'core/run': ['core/base/text'] }
    expect(first(from, text, { ...divided, arrows })).toBe('core/base/text is not entered by c.ts')
    const entrances = { 'core/base/text': ['c.ts'] }
    expect(first(from, text, { ...divided, arrows, entrances })).toBeUndefined()
  })

  test('a ring over three files is found, types and re-exports included', () => {
    const files = [
      { path: 'a.ts', text: "import type { B } from './b.ts'" },
      { path: 'b.ts', text: "export { c } from './c.ts'" },
      { path: 'c.ts', text: "import { a } from './a.ts'\nimport { d } from './d.ts'" },
      { path: 'd.ts', text: 'export const d = 1' },
    ]
    expect(importRings(files.map(parse))).toEqual([['a.ts', 'b.ts', 'c.ts']])
    expect(importRings(files.slice(1).map(parse))).toEqual([])
  })

  test('a file that imports itself is a ring', () => {
    const file = { path: 'a.ts', text: "import { b } from './a.ts'\nexport const b = 1" }
    expect(importRings([parse(file)])).toEqual([['a.ts']])
  })
})
