import { describe, expect, test } from 'vitest'
import { compileGlob } from '../call/glob.ts'
import { fileClasses } from './file-classes.ts'
import { globAutomaton } from './glob-automaton.ts'

const patterns = [
  'src/**',
  '**/*.sql',
  'a?/b*',
  '{x,y/z}.ts',
  '**/a/**/b',
  '*',
  'db/**/m*.sql',
  '.env*',
]

function accepts(pattern: string, path: string): boolean {
  const automaton = globAutomaton([pattern])
  const end = Array.from(path).reduce((node, one) => automaton.next(node, one), automaton.start)
  return automaton.accepts(end)
}

describe('kinds of files', () => {
  const names = ['src', 'a', 'ab', 'b', 'bx', 'x.ts', 'q.sql', 'db', 'm1.sql', '.env.local']
  const paths = names.flatMap((one) => [
    one,
    ...names.flatMap((two) => [`${one}/${two}`, `z/${one}/${two}`]),
  ])

  test.each(patterns)('PV-5: an automaton says of a path what the glob says: %s', (pattern) => {
    const matches = compileGlob(pattern)
    const wrong = paths.filter((path) => accepts(pattern, path) !== matches(path))
    expect(wrong).toEqual([])
  })

  test('PV-5: every combination that a path can have is there, with a path that has it', () => {
    const unions = [['src/**'], ['**/*.sql'], ['db/**', 'src/db/**']]
    const { classes, complete } = fileClasses(unions, ['src/main.ts'])
    expect(complete).toBe(true)
    expect(classes.map(({ matches }) => matches.map(Number).join('')).sort()).toEqual([
      '000',
      '001',
      '010',
      '011',
      '100',
      '101',
      '110',
      '111',
    ])
    expect(classes.find(({ matches }) => matches.map(Number).join('') === '100')?.file).toBe(
      'src/main.ts',
    )
  })

  test('PV-5: a pattern within another has no kind of its own', () => {
    const { classes } = fileClasses([['db/**'], ['db/*.sql']])
    const kinds = classes.map(({ matches }) => matches.map(Number).join('')).sort()
    expect(kinds).toEqual(['00', '10', '11'])
  })

  test('PV-8: too many kinds are not all told apart, and it says so', () => {
    const many = Array.from({ length: 12 }, (_, index) => [`**/*${'abcdefghijkl'[index]}*`])
    expect(fileClasses(many).complete).toBe(false)
  })
})
