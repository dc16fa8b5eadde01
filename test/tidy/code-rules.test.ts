import { describe, expect, test } from 'vitest'
import {
  impurities,
  loosePromises,
  tooLong,
  uncheckedAnswers,
  unprovenCasts,
  vagueExports,
} from './code-rules.ts'
import { type Parsed, parse } from './syntax.ts'
import { type Complaint, isSource, isTest, readTree, shown } from './tree.ts'

const files = readTree().filter((file) => isSource(file.path))
const sources = files.map(parse)
const ours = sources.filter((file) => !isTest(file.path))

describe('the tree', () => {
  test('no file is over 400 lines and no line over 100 columns', () => {
    expect(shown(tooLong(files))).toEqual([])
  })

  test('every export has a name', () => {
    expect(shown(sources.flatMap(vagueExports))).toEqual([])
  })

  test('the core is pure', () => {
    const core = ours.filter((file) => file.path.startsWith('packages/core/src/'))
    expect(core.length).toBeGreaterThan(0)
    expect(shown(core.flatMap(impurities))).toEqual([])
  })

  test('every cast has its proof beside it', () => {
    expect(shown(ours.flatMap(unprovenCasts))).toEqual([])
  })

  test('the dashboard reads every answer by its shape', () => {
    const pages = ours.filter((file) => file.path.startsWith('packages/dashboard/src/'))
    expect(pages.length).toBeGreaterThan(0)
    expect(shown(pages.flatMap(uncheckedAnswers))).toEqual([])
  })

  test('every promise names an issue', () => {
    expect(shown(sources.flatMap(loosePromises))).toEqual([])
  })
})

describe('bad code is found', () => {
  const lines = (count: number) => 'x\n'.repeat(count)

  test('by the length of a file and of a line', () => {
    const wide = `${'x'.repeat(100)}\n${'x'.repeat(101)}\n`
    expect(shown(tooLong([{ path: 'a.ts', text: lines(400) }]))).toEqual([])
    expect(shown(tooLong([{ path: 'a.ts', text: lines(401) }]))).toEqual(['a.ts:401 has 401 lines'])
    expect(shown(tooLong([{ path: 'a.ts', text: wide }]))).toEqual(['a.ts:2 has 101 columns'])
    expect(tooLong([{ path: 'fixtures/a.ts', text: lines(500) }])).toEqual([])
  })

  test.each([
    ['export everything', vagueExports, "export * from './b.ts'", 1],
    ['export everything under a name', vagueExports, "export * as b from './b.ts'", 1],
    ['default export', vagueExports, 'export default 1', 1],
    ['named export', vagueExports, 'export const b = 1', 0],
    ['Date.now', impurities, 'const now = Date.now()', 1],
    ['new Date()', impurities, 'const now = new Date()', 1],
    ['Date()', impurities, 'const now = Date()', 1],
    ['a date of a given time', impurities, 'export const day = (ms: number) => new Date(ms)', 0],
    ['Date.UTC', impurities, 'const day = Date.UTC(2026, 0, 1)', 0],
    ['Math.random', impurities, 'const chance = Math.random()', 1],
    ['process', impurities, 'const home = process.env', 1],
    ['fetch', impurities, "fetch('x')", 1],
    ['setTimeout', impurities, 'setTimeout(() => 1, 1)', 1],
    ['setTimeout handed on', impurities, 'later(setTimeout)', 1],
    ['crypto', impurities, 'const id = crypto.randomUUID()', 1],
    ['process as a word of ours', impurities, 'const f = (process: P) => process.name', 0],
    ['process as a key', impurities, 'const kind = { process: 1 }.process', 0],
    ['a comment about Date.now', impurities, '// not Date.now\nconst s = "Math.random"', 0],
    ['a cast', unprovenCasts, 'const a = b as string', 1],
    ['a cast by brackets', unprovenCasts, 'const a = <string>b', 1],
    ['any', unprovenCasts, 'let a: any', 1],
    ['as const', unprovenCasts, "const a = ['x'] as const", 0],
    ['a renamed import', unprovenCasts, "import { a as b } from './a.ts'", 0],
    ['a cast with its proof before it', unprovenCasts, '// Parsed above.\nconst a = b as C', 0],
    ['a cast with its proof beside it', unprovenCasts, 'const a = b as C // Parsed above.', 0],
    ['a cast whose proof is too far', unprovenCasts, '// Far.\n\nconst a = b as C', 1],
    ['a parsed answer that is cast', uncheckedAnswers, 'const a = JSON.parse(text) as A', 1],
    ['one that is cast twice', uncheckedAnswers, 'const a = JSON.parse(t) as unknown as A', 2],
    ['one that is looked at', uncheckedAnswers, 'const a: unknown = JSON.parse(text)', 0],
    ['a body without its shape', uncheckedAnswers, 'const a = await answer.json()', 1],
    ['a request of its own', uncheckedAnswers, "fetch('/api/runs')", 1],
    ['one of the window', uncheckedAnswers, "window.fetch('/api/runs')", 1],
    ['a call of an endpoint', uncheckedAnswers, 'call(endpoints.listRuns)', 0],
    ['a loose promise', loosePromises, '// TODO: later', 1],
    ['a promise in an issue', loosePromises, '// TODO(#12): later', 0],
    ['the word in a text', loosePromises, "const a = 'TODO'", 0],
  ] satisfies [string, (file: Parsed) => Complaint[], string, number][])(
    '%s',
    (_, check, text, count) => {
      const found = check(parse({ path: 'a.ts', text }))
      expect(found).toHaveLength(count)
    },
  )
})
