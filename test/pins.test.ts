import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declarationsIn, passedOn } from '../scripts/surface/declarations.ts'
import { pinnedText } from '../scripts/surface/pins.ts'
import { reports, surfaceReport } from '../scripts/surface/report.ts'

const folder = join(import.meta.dirname, '..', 'schema')
const written = (name: string) => readFileSync(join(folder, name), 'utf8')
const meant = 'If you meant it: a line in CHANGELOG.md, and "npm run pins".'

/** The lines that moved, each with its section, so that nobody has to look for them. */
function moved(before: string, after: string): { gone: string[]; added: string[] } {
  const [old, now] = [placedLines(before), placedLines(after)]
  return {
    gone: [...old].filter((line) => !now.has(line)),
    added: [...now].filter((line) => !old.has(line)),
  }
}

function placedLines(text: string): Set<string> {
  return new Set(
    text.split('\n## ').flatMap((section) => {
      const [title = '', ...lines] = section.split('\n')
      return lines.filter((line) => line !== '').map((line) => `${title}: ${line}`)
    }),
  )
}

describe('what the outside can see', () => {
  test('is what schema/pins.txt says', async () => {
    const now = await pinnedText()
    expect(moved(written('pins.txt'), now), meant).toEqual({ gone: [], added: [] })
    expect(now === written('pins.txt'), meant).toBe(true)
  })

  test.each(Object.entries(reports))('%s has the names and signatures of today', (name, doors) => {
    expect(surfaceReport(doors), meant).toBe(written(name))
  })

  test('a name that moved is told with its section', () => {
    const before = '# head\n\n## routes\nGET /a\nGET /b\n\n## codes\nx 1\n'
    const after = '# head\n\n## routes\nGET /a\n\n## codes\nGET /b\nx 1\n'
    expect(moved(before, after)).toEqual({ gone: ['routes: GET /b'], added: ['codes: GET /b'] })
  })
})

describe('a signature as others see it', () => {
  const shown = (text: string) =>
    [...declarationsIn('a.ts', text).values()].map((one) => [
      one.text,
      one.mentions.map(({ name, path }) => `${path} ${name}`),
    ])

  test.each([
    [
      "import type { B } from './b.ts'\nexport function a(b: B): C { return make<D>(b) }",
      [['function a(b: B): C', ['b.ts B', 'a.ts C']]],
    ],
    [
      'export interface A { /** Why. */ readonly a: B; readonly [inside]: C }',
      [['interface A {  readonly a: B;  }', ['a.ts B']]],
    ],
    [
      'export class A extends B { #c: C = 1; d(): D { return this.#c } }',
      [['class A extends B {  d(): D  }', ['a.ts B', 'a.ts D']]],
    ],
    [
      'export const A = z.object({})\nexport type A = z.infer<typeof A>',
      [['type A = z.infer<typeof A>', []]],
    ],
  ])('%s', (text, expected) => {
    expect(shown(text)).toEqual(expected)
  })

  test('a name may be passed on under another', () => {
    expect(passedOn('src/index.ts', "export { type A as B, c } from './x/a.ts'")).toEqual([
      { name: 'B', local: 'A', path: 'src/x/a.ts' },
      { name: 'c', local: 'c', path: 'src/x/a.ts' },
    ])
  })
})
