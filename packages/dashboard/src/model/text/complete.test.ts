import { workflowJsonSchema } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { example } from '../definitions/example.ts'
import { offersAt } from './complete.ts'

const schema = workflowJsonSchema()

/** Labels offered where the bar stands. */
function labels(marked: string): readonly string[] {
  const offset = marked.indexOf('|')
  const text = marked.replace('|', '')
  return offersAt(schema, text, offset)?.offers.map(({ label }) => label) ?? []
}

const at = (line: string, marked: string) => labels(example.replace(line, marked))

describe('what can be written', () => {
  test('names of fields, without those that stand there already', () => {
    expect(labels('id: a\n|')).toContain('states')
    const state = at('    max_iterations: 10', '    max_|')
    expect(state).toContain('max_edit_lines')
    expect(state).not.toContain('id')
    expect(at('context:', 'me|\ncontext:')).toContain('meta')
  })

  test('values that the schema lists', () => {
    expect(labels('id: a\nmeta:\n  danger_level: |')).toEqual(['safe', 'moderate', 'dangerous'])
    expect(labels('states:\n  a:\n    background: |')).toEqual(['true', 'false'])
  })

  test('states, guards and tools by their names', () => {
    expect(at('      GIVE_UP: failed', '      GIVE_UP: f|')).toContain('migrating')
    expect(at('        guard: cause_known', '        guard: c|')).toEqual([
      'cause_known',
      'tests_ran',
    ])
    expect(at('allowed_tools: [Read, Edit]', 'allowed_tools: [Read, |')).toContain('Bash')
    expect(labels('states:\n  a:\n    allowed_tools:\n      - R|')).toContain('Read')
    expect(at('{ target: done, guard: tests_ran }', '{ target: done, |')).toContain(
      'requires_approval',
    )
  })

  test('in JSON as well', () => {
    expect(labels('{"states": {"a": {"|": 1}}}')).toContain('allowed_tools')
    expect(labels('{"meta": {"danger_level": |}}')).toContain('safe')
    const offers = offersAt(schema, '{"meta": {"danger_level": }}', 26)?.offers
    expect(offers?.[0]?.insert).toBe('"safe"')
  })
})
