import { describe, expect, test } from 'vitest'
import { textOffsets } from './offsets.ts'

const yaml = `id: a
states:
  one: # first
    allowed_tools: [Read, Edit]
    on:
      GO: two
  two:
    type: final
`
const json = JSON.stringify(
  { id: 'a', states: { one: { allowed_tools: ['Read', 'Edit'], on: { GO: 'two' } }, two: {} } },
  null,
  2,
)

describe.each([
  ['YAML', yaml],
  ['JSON', json],
])('places in %s', (_, text) => {
  const offsets = textOffsets(text)
  const words = (path: readonly (string | number)[]) => {
    const span = offsets.find(path)
    return span === undefined ? undefined : text.slice(span.from, span.to).replaceAll('"', '')
  }

  test('lead to a field with its name, or to an item', () => {
    expect(words(['states', 'one', 'on', 'GO'])).toBe('GO: two')
    expect(words(['states', 'one', 'allowed_tools', 1])).toBe('Edit')
    expect(words(['id'])).toBe('id: a')
  })

  test('lead to the nearest parent of what is missing', () => {
    expect(words(['states', 'two', 'max_iterations'])).toMatch(/^two:/)
    expect(words(['nothing'])).toBeUndefined()
  })

  test('know the state at an offset', () => {
    expect(offsets.stateAt(text.indexOf('GO'))).toBe('one')
    expect(offsets.stateAt(text.lastIndexOf('two') + 1)).toBe('two')
    expect(offsets.stateAt(0)).toBeUndefined()
  })
})

test('a text that breaks off still has places', () => {
  expect(textOffsets('states:\n  one:\n    on: {').stateAt(12)).toBe('one')
  expect(textOffsets('{"states": {"one": {').stateAt(14)).toBe('one')
})
