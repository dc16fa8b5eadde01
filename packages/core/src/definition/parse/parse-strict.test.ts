import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseStrict } from './parse-strict.ts'

const schema = z.strictObject({ strict: z.boolean().optional(), mode: z.enum(['a', 'b']) })
const parse = (text: string) => parseStrict(text, { schema, what: 'The settings' })

describe('any strictly parsed text', () => {
  test('gives its value when nothing is wrong', () => {
    expect(parse('mode: a\n')).toEqual({ definition: { mode: 'a' }, findings: [] })
  })

  test('WF-2: names an unknown field, its place and the nearest known one', () => {
    const { definition, findings } = parse('mode: a\nstirct: true\n')
    expect(definition).toBeUndefined()
    expect(findings).toMatchObject([
      { code: 'unknown_field', line: 2, column: 1, message: expect.stringContaining('"strict"') },
    ])
  })

  test('calls the whole by its own name when it is of another kind', () => {
    const message = 'The settings must be an object, not a list.'
    expect(parse('[1]').findings).toMatchObject([{ code: 'wrong_type', message }])
  })

  test('refuses what is doubled even where the schema would be content', () => {
    expect(parse('mode: a\nmode: b\n').definition).toBeUndefined()
  })
})
