import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { processJsonSchema, workflowJsonSchema } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { configJsonSchema } from '../packages/server/src/config/schema.ts'

const root = join(import.meta.dirname, '..')
const published = (name: string) =>
  JSON.parse(readFileSync(join(root, 'schema', `${name}-schema.json`), 'utf8'))
const seed = (name: string) => JSON.parse(readFileSync(join(root, 'test', 'seeds', name), 'utf8'))

/** The published schema, read by a reader of JSON Schemas rather than by our parser. */
const reader = (name: string) => z.fromJSONSchema(published(name))

describe('the published JSON Schemas', () => {
  test('WF-1: are those of the code; "npm run schema" writes them anew', () => {
    expect(published('workflow')).toEqual(workflowJsonSchema())
    expect(published('process')).toEqual(processJsonSchema())
    expect(published('config')).toEqual(configJsonSchema())
  })

  test('WF-1: refer to nothing, so that an editor needs no other file', () => {
    expect(JSON.stringify(published('workflow'))).not.toContain('$ref')
    expect(JSON.stringify(published('process'))).not.toContain('$ref')
    expect(JSON.stringify(published('config'))).not.toContain('$ref')
  })

  test.each([
    ['workflow', 'minimal.json'],
    ['workflow', 'guards.json'],
    ['workflow', 'complete.json'],
    ['process', 'deploy-gate.json'],
    ['process', 'stored-process.json'],
  ])('WF-1, PR-1: the %s schema accepts %s', (kind, name) => {
    expect(reader(kind).safeParse(seed(name)).error?.issues ?? []).toEqual([])
  })

  test.each([
    ['workflow', 'minimal.json', { states: { reading: { allowed_tolls: [] } } }],
    ['workflow', 'minimal.json', { extra: 1 }],
    ['workflow', 'minimal.json', { states: { reading: { max_iterations: 0 } } }],
    ['workflow', 'minimal.json', { meta: { locked: 'yes' } }],
    ['process', 'deploy-gate.json', { extra: 1 }],
    ['process', 'deploy-gate.json', { name: 'Not Allowed' }],
  ])('WF-1, WF-2: the %s schema refuses %s with %j', (kind, name, change) => {
    expect(reader(kind).safeParse({ ...seed(name), ...change }).success).toBe(false)
  })

  test('the config schema accepts what the parser does, and refuses a misspelt key', () => {
    const accepts = (value: unknown) => reader('config').safeParse(value).success
    expect(accepts({ strict: true, gateway: { list: 'all' } })).toBe(true)
    expect(accepts({ stirct: true })).toBe(false)
    expect(accepts({ gateway: { lists: 'all' } })).toBe(false)
  })
})
