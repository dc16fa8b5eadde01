import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

function filled(limit: number, ...keys: string[]): BoundedMap<string, number> {
  const map = new BoundedMap<string, number>(limit)
  for (const [at, key] of keys.entries()) map.set(key, at)
  return map
}

test('it holds as many as it may, and then forgets what was set longest ago', () => {
  expect([...filled(2, 'a', 'b')]).toEqual([
    ['a', 0],
    ['b', 1],
  ])
  expect([...filled(2, 'a', 'b', 'c', 'd')].map(([key]) => key)).toEqual(['c', 'd'])
})

test('setting an entry again makes it the youngest; reading it does not', () => {
  expect([...filled(2, 'a', 'b', 'a', 'c')].map(([key]) => key)).toEqual(['a', 'c'])
  const map = filled(2, 'a', 'b')
  expect([map.get('a'), map.has('a'), map.size]).toEqual([0, true, 2])
  map.set('c', 2)
  expect([map.get('a'), map.has('a'), map.size]).toEqual([undefined, false, 2])
})

test('what is deleted makes room', () => {
  const map = filled(2, 'a', 'b')
  expect([map.delete('b'), map.delete('x')]).toEqual([true, false])
  map.set('c', 2)
  expect([...map].map(([key]) => key)).toEqual(['a', 'c'])
  map.clear()
  expect(map.size).toBe(0)
})

test('an entry that is undefined is one all the same', () => {
  const map = new BoundedMap<string | undefined, undefined>(1)
  map.set(undefined, undefined)
  expect(map.has(undefined)).toBe(true)
  map.set('a', undefined)
  expect([map.has(undefined), map.has('a'), map.size]).toEqual([false, true, 1])
})
