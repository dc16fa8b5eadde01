import { endpoints } from '@statewright/core/wire'
import { expect, test } from 'vitest'
import { openApi } from './openapi.ts'

const description = openApi(Object.values(endpoints))
const text = JSON.stringify(description)

/** Every object in it, however deep. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const below of Object.values(value)) yield* objectsIn(below)
}

test('a large schema stands once in the description', () => {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const one of objectsIn(description)) {
    const schema = JSON.stringify(one)
    if (!('properties' in one) || schema.length < 700) continue
    if (seen.has(schema)) repeated.add(schema.slice(0, 200))
    seen.add(schema)
  }
  expect(seen.size).toBeGreaterThan(20)
  expect([...repeated]).toEqual([])
})

test('every reference in the description leads somewhere', () => {
  const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
  expect(names.length).toBeGreaterThan(100)
  const there = Object.keys(Object(Object(description.components).schemas))
  expect(
    names.filter((name) => !there.includes(name.replace('#/components/schemas/', ''))),
  ).toEqual([])
})
