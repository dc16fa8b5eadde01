import { describe, expect, test } from 'vitest'
import { longFunctions, openSwitches, tooLongFunctions } from './function-rules.ts'
import { knownLongFunctions } from './long-functions.ts'
import { parse } from './syntax.ts'
import { isSource, isTest, readTree, shown } from './tree.ts'

const sources = readTree()
  .filter(({ path }) => isSource(path) && !isTest(path) && /^packages\/[^/]+\/src\//.test(path))
  .map(parse)

describe('the tree', () => {
  test('a function fits on a screen, and one that did not has not grown', () => {
    const found = sources.flatMap(longFunctions)
    expect(shown(tooLongFunctions(found, knownLongFunctions))).toEqual([])
  })

  test('the list of long functions holds no other', () => {
    const names = sources.flatMap(longFunctions).map(({ path, name }) => `${path} ${name}`)
    expect(Object.keys(knownLongFunctions).filter((key) => !names.includes(key))).toEqual([])
  })

  test('a switch says what happens otherwise', () => {
    // The first load of the dashboard would have to carry core for it.
    const strict = sources.filter(({ path }) => !path.startsWith('packages/dashboard/'))
    expect(shown(strict.flatMap(openSwitches))).toEqual([])
  })
})

describe('a bad function is found', () => {
  const file = (text: string) => parse({ path: 'packages/core/src/run/a.ts', text })
  const long = (name: string) => `function ${name}() {\n${'  step()\n'.repeat(60)}}`

  test('a long one, by its name', () => {
    const [found] = longFunctions(file(long('walk')))
    expect(found).toMatchObject({ name: 'walk', lines: 62 })
    const other = longFunctions(file(`const walk = () => {\n${'  step()\n'.repeat(60)}}`))
    expect(other.map(({ name }) => name)).toEqual(['walk'])
    expect(longFunctions(file('function walk() {\n  step()\n}'))).toEqual([])
  })

  test('one that has grown', () => {
    const found = longFunctions(file(long('walk')))
    const key = 'packages/core/src/run/a.ts walk'
    expect(tooLongFunctions(found, { [key]: [62, 'why'] })).toEqual([])
    expect(tooLongFunctions(found, { [key]: [61, 'why'] })).toHaveLength(1)
    expect(tooLongFunctions(found, {})).toHaveLength(1)
  })

  test('a switch that leaves something out', () => {
    const text = 'switch (a) {\n  case 1:\n    break\n}'
    expect(openSwitches(file(text))).toHaveLength(1)
    const closed = 'switch (a) {\n  case 1:\n    break\n  default:\n    b()\n}'
    expect(openSwitches(file(closed))).toEqual([])
  })
})
