import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeWords, tableRows } from '../markdown-table.ts'
import { allFields, type Field } from './fields.ts'

const page = readFileSync(new URL('../../docs/spec/surface.md', import.meta.url), 'utf8')
const spelt = tableRows(page, 'Below', 'Names').map(([below = '', names = '']) => ({
  below: codeWords(below),
  names: codeWords(names),
}))
const fields = allFields()

const isSnakeCase = ({ name }: Field) => /^\$?[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)
const isTime = ({ name }: Field) => /(^|_)(at|since|until|time|date|timestamp)$/.test(name)
const isInMs = ({ name, types }: Field) =>
  !/(time|date|timestamp)$/.test(name) &&
  types.some((type) => type === 'number' || type === 'integer') &&
  types.every((type) => ['number', 'integer', 'null'].includes(type))

/** Spelt otherwise than everything else. */
const others = fields.filter((field) => !isSnakeCase(field) || (isTime(field) && !isInMs(field)))

function isListed({ endpoint, name }: Field): boolean {
  return spelt.some(
    ({ below, names }) =>
      names.includes(name) && below.some((path) => `${endpoint}/`.startsWith(`${path}/`)),
  )
}

test('names on the wire are snake_case and times epoch milliseconds, but for those listed', () => {
  expect(fields.length).toBeGreaterThan(1000)
  const unlisted = others.filter((field) => !isListed(field))
  expect(unlisted.map(({ endpoint, above, name }) => [endpoint, ...above, name].join(' '))).toEqual(
    [],
  )
})

test('and every name in that list is still on the wire', () => {
  const names = new Set(others.map(({ name }) => name))
  const listed = spelt.flatMap((row) => row.names)
  expect(listed.length).toBeGreaterThan(0)
  expect(listed.filter((name) => !names.has(name))).toEqual([])
})
