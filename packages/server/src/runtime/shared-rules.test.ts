import { expect, test } from 'vitest'
import type { Versions } from '../store/node-store.ts'
import { SharedRules } from './shared-rules.ts'

/** A database whose answers come when the test says so. */
function database() {
  const asked: PromiseWithResolvers<Versions>[] = []
  const versions = () => {
    const answer = Promise.withResolvers<Versions>()
    asked.push(answer)
    return answer.promise
  }
  const rules = new SharedRules({ versions })
  const followed: string[] = []
  rules.onRules(() => void followed.push('rules'))
  rules.onBonds(() => void followed.push('bonds'))
  return { asked, rules, followed }
}

test('ND-1: a look counts for all who asked before it was sent, and for nobody later', async () => {
  const { asked, rules } = database()
  const first = [rules.confirm(), rules.confirm()]
  await expect.poll(() => asked.length).toBe(1)
  let isConfirmed = false
  const others = [rules.confirm(), rules.confirm(), rules.confirm()]
  const late = Promise.all(others).then(() => {
    isConfirmed = true
  })
  asked[0]?.resolve({ rules: 1, bonds: 1 })
  await Promise.all(first)
  await expect.poll(() => asked.length).toBe(2)
  expect(isConfirmed).toBe(false)
  asked[1]?.resolve({ rules: 1, bonds: 1 })
  await late
  expect(asked).toHaveLength(2)
})

test('ND-1, ND-2: only what has changed is read anew, and counts when it was', async () => {
  const { asked, rules, followed } = database()
  const look = async (now: Versions) => {
    const looks = asked.length
    const looked = rules.confirm()
    await expect.poll(() => asked.length).toBe(looks + 1)
    asked.at(-1)?.resolve(now)
    await looked
    return followed.splice(0)
  }
  expect(await look({ rules: 4, bonds: 7 })).toEqual(['bonds', 'rules'])
  expect(await look({ rules: 4, bonds: 7 })).toEqual([])
  expect(await look({ rules: 4, bonds: 8 })).toEqual(['bonds'])
  expect(await look({ rules: 5, bonds: 8 })).toEqual(['rules'])
  expect(rules.version).toBe(5)
})

test('ND-1a: a node that cannot look, or cannot read what changed, confirms nothing', async () => {
  const { asked, rules } = database()
  const looked = rules.confirm()
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.reject(new Error('the database is away'))
  await expect(looked).rejects.toThrow('away')
  rules.onRules(() => Promise.reject(new Error('not read')))
  const again = rules.confirm()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve({ rules: 2, bonds: 2 })
  await expect(again).rejects.toThrow('not read')
  expect(rules.version).toBe(0)
})

test('ND-1: where nobody else writes there is nothing to look at', () => {
  const rules = new SharedRules(undefined)
  expect([rules.confirm(), rules.version]).toEqual([undefined, undefined])
})
