import { describe, expect, test } from 'vitest'
import { addToList, readField, setField } from './edit-text.ts'
import { readableText } from './readable.ts'

const yaml = `# Fix a bug.
id: bugfix   # its name
initial: planning

states:
  planning:
    # Reading only.
    allowed_tools: [Read, Grep]  # no shell
    instructions: Find the cause.
    on:
      FOUND: fixing # the cause is known
      GIVE_UP: failed

  fixing:
    allowed_tools:
      - Read # first
      # the important one
      - Edit
    max_edit_lines: 20
    on: { FIXED: done }
  done: { type: final }
  failed: { type: final }
# The end.
`

/** The lines that differ, old and new. */
function changed(edited: string | null): string[] {
  const before = yaml.split('\n')
  const after = (edited ?? '').split('\n')
  const gone = before.filter((line) => !after.includes(line)).map((line) => `-${line}`)
  const fresh = after.filter((line) => !before.includes(line)).map((line) => `+${line}`)
  return [...gone, ...fresh]
}

describe('a field in a YAML text', () => {
  test('is changed where it stands, and its comment stays', () => {
    expect(changed(setField(yaml, ['states', 'fixing', 'max_edit_lines'], 45))).toEqual([
      '-    max_edit_lines: 20',
      '+    max_edit_lines: 45',
    ])
    expect(changed(setField(yaml, ['id'], 'other'))).toEqual([
      '-id: bugfix   # its name',
      '+id: other   # its name',
    ])
  })

  test('is added at the end of its object, as deep as its neighbours', () => {
    expect(changed(setField(yaml, ['states', 'planning', 'max_iterations'], 5))).toEqual([
      '+    max_iterations: 5',
    ])
    expect(changed(setField(yaml, ['states', 'done', 'outcome'], 'success'))).toEqual([
      '-  done: { type: final }',
      '+  done: { type: final, outcome: success }',
    ])
    expect(changed(setField(yaml, ['states', 'fixing', 'on', 'STUCK'], 'failed'))).toEqual([
      '-    on: { FIXED: done }',
      '+    on: { FIXED: done, STUCK: failed }',
    ])
    const top = setField(yaml, ['meta', 'danger_level'], 'safe')
    expect(readField(top ?? '', ['meta', 'danger_level'])).toBe('safe')
    expect(top).toContain('# The end.')
  })

  test('is taken out with its line', () => {
    expect(changed(setField(yaml, ['states', 'fixing', 'max_edit_lines'], undefined))).toEqual([
      '-    max_edit_lines: 20',
    ])
    expect(changed(setField(yaml, ['states', 'planning', 'on', 'GIVE_UP'], undefined))).toEqual([
      '-      GIVE_UP: failed',
    ])
    expect(changed(setField(yaml, ['states', 'fixing', 'on', 'FIXED'], undefined))).toEqual([
      '-    on: { FIXED: done }',
      '+    on: {}',
    ])
    expect(setField(yaml, ['states', 'nowhere', 'on'], undefined)).toBe(yaml)
  })

  test('takes a richer value than it had', () => {
    const edited = setField(yaml, ['states', 'planning', 'on', 'FOUND'], {
      target: 'fixing',
      requires_approval: true,
    })
    expect(changed(edited)).toEqual([
      '-      FOUND: fixing # the cause is known',
      '+      FOUND: { target: fixing, requires_approval: true } # the cause is known',
    ])
    const lines = setField(yaml, ['states', 'planning', 'instructions'], 'Look.\nThen: think.\n')
    expect(readField(lines ?? '', ['states', 'planning', 'instructions'])).toBe(
      'Look.\nThen: think.\n',
    )
    expect(changed(lines)).toEqual([
      '-    instructions: Find the cause.',
      '+    instructions: |',
      '+      Look.',
      '+      Then: think.',
    ])
    const again = setField(lines ?? '', ['states', 'planning', 'instructions'], 'Find the cause.')
    expect(again).toBe(yaml)
  })

  test('quotes what would mean something else', () => {
    for (const value of ['yes: no', '# no comment', '- x', '', 'null', '42', 'a, b] }', '"']) {
      const edited = setField(yaml, ['states', 'planning', 'instructions'], value)
      expect(readField(edited ?? '', ['states', 'planning', 'instructions'])).toBe(value)
      const named = setField(yaml, ['states', value, 'type'], 'final')
      expect(readField(named ?? '', ['states', value, 'type'])).toBe('final')
    }
  })

  test('is refused where the text cannot be read', () => {
    expect(setField('a: [', ['a'], 1)).toBeNull()
    expect(setField('just words', ['a'], 1)).toBeNull()
  })
})

describe('a list', () => {
  test('gets an entry on its line, or on a line of its own', () => {
    expect(changed(addToList(yaml, ['states', 'planning', 'allowed_tools'], ['Glob']))).toEqual([
      '-    allowed_tools: [Read, Grep]  # no shell',
      '+    allowed_tools: [Read, Grep, Glob]  # no shell',
    ])
    expect(changed(addToList(yaml, ['states', 'fixing', 'allowed_tools'], ['Write']))).toEqual([
      '+      - Write',
    ])
    expect(changed(addToList(yaml, ['states', 'planning', 'blocked_env'], ['TOKEN']))).toEqual([
      '+    blocked_env: [TOKEN]',
    ])
    expect(addToList(yaml, ['states', 'planning', 'allowed_tools'], ['Read'])).toBe(yaml)
  })

  test('loses one and keeps the words around it', () => {
    expect(changed(setField(yaml, ['states', 'fixing', 'allowed_tools'], ['Edit']))).toEqual([
      '-      - Read # first',
    ])
    expect(changed(setField(yaml, ['states', 'planning', 'allowed_tools'], ['Grep']))).toEqual([
      '-    allowed_tools: [Read, Grep]  # no shell',
      '+    allowed_tools: [Grep]  # no shell',
    ])
    const swapped = setField(yaml, ['states', 'fixing', 'allowed_tools'], ['Read', 'Bash'])
    expect(readField(swapped ?? '', ['states', 'fixing', 'allowed_tools'])).toEqual([
      'Read',
      'Bash',
    ])
    const emptied = setField(yaml, ['states', 'fixing', 'allowed_tools'], [])
    expect(readField(emptied ?? '', ['states', 'fixing', 'allowed_tools'])).toEqual([])
    expect(emptied).toContain('# Reading only.')
  })
})

describe('a field in a JSON text', () => {
  const json = JSON.stringify({ id: 'a', states: { x: { allowed_tools: ['Read'] } } }, null, 4)

  test('is set, added and taken out in the indentation of the text', () => {
    const edited = addToList(json, ['states', 'x', 'allowed_tools'], ['Edit']) ?? ''
    expect(readField(edited, ['states', 'x', 'allowed_tools'])).toEqual(['Read', 'Edit'])
    expect(edited.split('\n').slice(0, 4)).toEqual(json.split('\n').slice(0, 4))
    const more = setField(json, ['states', 'x', 'max_iterations'], 3) ?? ''
    expect(more).toContain('\n            "max_iterations": 3')
    expect(setField(more, ['states', 'x', 'max_iterations'], undefined)).toBe(json)
  })
})

test('one long line of JSON is broken up; whatever a person wrote is not', () => {
  expect(readableText('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}\n')
  for (const text of ['{\n"a": 1}', 'a: 1', '{"a":', '']) expect(readableText(text)).toBe(text)
})
