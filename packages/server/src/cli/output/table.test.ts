import { describe, expect, test } from 'vitest'
import { table } from './table.ts'

const columns = [
  { title: 'ID', text: (row: { id: string; text: string }) => row.id },
  { title: 'TEXT', text: (row: { id: string; text: string }) => row.text, gives: true },
] as const

describe('a table', () => {
  const rows = [
    { id: 'a', text: 'short' },
    { id: 'bcd', text: 'x'.repeat(100) },
  ]

  test('is never wider than the terminal; only columns that may give way are cut', () => {
    const lines = table(rows, columns, 40).split('\n')
    expect(lines[0]).toBe('ID   TEXT')
    expect(lines[1]).toBe('a    short')
    expect(lines[2]).toBe(`bcd  ${'x'.repeat(34)}…`)
    expect(lines[2]).toHaveLength(40)
  })

  test('lets the last column go on below where it says so', () => {
    const below = [columns[0], { ...columns[1], gives: 'below' }] as const
    const text = 'one two three four five six seven eight nine'
    expect(table([{ id: 'abc', text }], below, 40).split('\n')).toEqual([
      'ID   TEXT',
      'abc  one two three four five six seven',
      '     eight nine',
    ])
  })

  test('is whole in a pipe', () => {
    expect(table(rows, columns, undefined).split('\n')[2]).toBe(`bcd  ${'x'.repeat(100)}`)
  })

  test('shows no control characters', () => {
    expect(table([{ id: '\u001b[2J', text: '' }], columns, 80)).toBe('ID         TEXT\n\\u{1b}[2J')
  })
})
