import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shownTable, tableHead } from '../levels/shown-table.ts'
import { type NamedTest, rows } from '../levels/table.ts'
import { root } from './tree.ts'

const guide = readFileSync(join(root, 'docs/guide/security.md'), 'utf8').split('\n')

describe('the table of what holds at which level', () => {
  test('stands in the guide as its tests have it', () => {
    const start = guide.indexOf(`| ${tableHead.join(' | ')} |`) + 2
    const rest = guide.slice(start)
    expect(rest.slice(0, rest.indexOf(''))).toEqual(shownTable())
  })

  test('explains each of its letters once', () => {
    const used = rows.flatMap(({ notes = {} }) => Object.values(notes))
    const explained = guide.flatMap((line) => /^- \*\*\((\w)\)\*\*/.exec(line)?.[1] ?? [])
    expect(explained).toEqual([...new Set(used)].sort())
  })

  test('names tests that exist', () => {
    const named = rows.flatMap(({ proof }) => (typeof proof === 'string' ? [] : proof))
    expect(named.filter((one) => !exists(one))).toEqual([])
    expect(exists({ file: 'test/tidy/levels.test.ts', title: 'is not' + ' there' })).toBe(false)
  })
})

function exists({ file, title }: NamedTest): boolean {
  const text = readFileSync(join(root, file), 'utf8')
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => text.includes(quoted))
}
