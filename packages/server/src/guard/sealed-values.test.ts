import type { ObservedResult } from '@statewright/core/internal'
import { afterEach, describe, expect, test } from 'vitest'
import { ownAdapter } from '../../testing/adapters.ts'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { openCall } from './guarded-call.ts'

let world: RuntimeWorld
afterEach(() => world.close())

const rows = [
  { id: 'A', v: 'blocked' },
  { id: 'N', v: 100 },
  { id: 'evil', v: 'x' },
]

/** Whether a call passes what is required of it, with facts that a result has taught. */
async function passes(require: string, input: object): Promise<boolean> {
  world = await openRuntime()
  const look = 'mcp__x__look'
  await save(world.runtime, {
    id: 'sealed',
    initial: 'working',
    facts: {
      priv: { from: look, each: 'result.items', key: 'item.id', value: 'item.v', private: true },
      one: { from: look, value: 'result.one', private: true },
      tok: { from: look, value: 'result.token' },
      ids: { from: look, each: 'result.items', key: 'item.id' },
    },
    calls: { mcp__x__use: [{ require, message: 'No.' }] },
    states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
  })
  const run = await start(world.runtime, agent, { workflow: 'sealed' })
  const call = async (tool: string, given: object, result: ObservedResult = {}) => {
    const request = { run, tool, server: 'x', input: given }
    const opened = await openCall(world.guard, ownAdapter, agent, request)
    if (!opened.ok) return false
    await opened.value.finish({ bytes: 1, exit: 'success', result })
    return true
  }
  await call('look', {}, { structured: { items: rows, one: 'blocked', token: 'blocked' } })
  return call('use', input)
}

describe('FC-6, FC-7: what is hidden in an argument is not known', () => {
  const without = '!args.body.contains("forbidden")'
  const pem = '-----BEGIN PRIVATE KEY-----\nforbidden\n-----END PRIVATE KEY-----'
  test.each([
    [without, { body: 'password=forbidden' }],
    [without, { body: 'Authorization: Bearer forbidden-and-more' }],
    [without, { body: 'sk-forbidden-forbidden-forbidden' }],
    [without, { body: 'https://user:forbidden@host/' }],
    [without, { body: pem }],
    ['!args.password.contains("forbidden")', { password: 'forbidden' }],
    ['size(args.body) < 200', { body: `password=${'x'.repeat(250)}` }],
    ['args.body.size() < 200', { body: `password=${'x'.repeat(250)}` }],
    ['!args.body.startsWith("x")', { body: 'password=forbidden' }],
    ['!args.body.endsWith("x")', { body: 'password=forbidden' }],
    ['!glob(args.body, "*forbidden*")', { body: 'password=forbidden' }],
    ['!mentions(args.body, "forbidden")', { body: 'password=forbidden' }],
    ['args.body != "password=forbidden"', { body: 'password=forbidden' }],
    ['!(args.body in ["password=forbidden"])', { body: 'password=forbidden' }],
    ['!(args.body in ["a", "b"])', { body: 'password=forbidden' }],
    ['!args.to.exists(one, one == "password=forbidden")', { to: ['password=forbidden'] }],
    ['args.to != ["password=forbidden"]', { to: ['password=forbidden'] }],
    ['args.to != {"a": "password=forbidden"}', { to: { a: 'password=forbidden' } }],
    ['!("password=forbidden" in args.to)', { to: { 'password=forbidden': 1 } }],
    ['!has(args.to.x)', { to: { 'password=forbidden': 1 } }],
    ['size(args.to) < 2', { to: { 'password=forbidden': 1, b: 2 } }],
    ['!args.to.exists(key, key.contains("forb"))', { to: { 'password=forbidden': 1 } }],
    ['type(args.body) != list', { body: 'password=forbidden' }],
    ['string(args.body) != "x"', { body: 'password=forbidden' }],
    ['args.body + "" != "x"', { body: 'password=forbidden' }],
    ['args.body.lowerAscii() != "x"', { body: 'password=forbidden' }],
    ['args.body < "z"', { body: 'password=forbidden' }],
    ['!(args.body in facts.ids)', { body: 'password=forbidden' }],
    ['[args.body].all(one, !one.contains("forbidden"))', { body: 'password=forbidden' }],
    ['!json(args.body).x', { body: '{"x": false, "password": "forbidden"}' }],
  ])('%s: %j', async (require, input) => {
    expect(await passes(require, input)).toBe(false)
  })

  test.each([
    [without, { body: 'fine' }],
    [without, { body: 'sealed: a word of its own' }],
    ['args.body.contains("shown")', { body: 'shown password=forbidden' }],
    ['mentions(args.body, "shown")', { body: 'shown password=forbidden' }],
    ['args.body == args.other', { body: 'password=forbidden', other: 'password=forbidden' }],
    ['args.body in [args.other]', { body: 'password=forbidden', other: 'password=forbidden' }],
    ['args.body == args.body', { body: 'password=forbidden' }],
    ['args.to.size() == 2 && args.to[1] == "b"', { to: ['password=forbidden', 'b'] }],
    ['args.password != args.note || true', { password: 'forbidden', note: 'x' }],
    ['args.n <= 5 && args.body == args.body', { n: 5, body: 'password=forbidden' }],
    ['has(args.to.a) && args.to.b == 1', { to: { a: 'password=forbidden', b: 1 } }],
  ])('%s is known: %j', async (require, input) => {
    expect(await passes(require, input)).toBe(true)
  })
})

describe('FC-7: of a sealed fact only what equals it is known', () => {
  test.each([
    ['args.v <= facts.priv[args.to]', { to: 'N', v: '1000000' }],
    ['args.v <= facts.priv[args.to]', { to: 'N', v: 1 }],
    ['facts.priv[args.to] != "blocked"', { to: 'A' }],
    ['!(facts.priv[args.to] in ["blocked"])', { to: 'A' }],
    ['!facts.priv[args.to].contains("block")', { to: 'A' }],
    ['!facts.priv[args.to].startsWith("block")', { to: 'A' }],
    ['!glob(facts.priv[args.to], "block*")', { to: 'A' }],
    ['!mentions(facts.priv[args.to], "blocked")', { to: 'A' }],
    ['string(facts.priv[args.to]) != "blocked"', { to: 'A' }],
    ['facts.priv[args.to] + "" != "blocked"', { to: 'A' }],
    ['size(facts.priv[args.to]) > 3', { to: 'evil' }],
    ['type(facts.priv[args.to]) == string', { to: 'N' }],
    ['!facts.priv.exists(key, key == "evil")', { to: 'A' }],
    ['!("evil" in facts.priv)', { to: 'A' }],
    ['facts.priv != {"A": "blocked"}', { to: 'A' }],
    ['facts.one != "blocked"', {}],
    ['facts.tok != "blocked"', {}],
    ['!(facts.tok == "blocked")', {}],
    ['facts.tok < "c"', {}],
  ])('%s: %j', async (require, input) => {
    expect(await passes(require, input)).toBe(false)
  })

  test.each([
    ['args.to in facts.priv', { to: 'A' }],
    ['facts.priv[args.to] == args.v', { to: 'A', v: 'blocked' }],
    ['args.v <= facts.priv[args.to]', { to: 'N', v: 100 }],
    ['facts.one == args.v', { v: 'blocked' }],
    ['facts.tok == args.token', { token: 'blocked' }],
    ['facts.priv.exists(key, key == args.to)', { to: 'evil' }],
    ['size(facts.priv) == 3', {}],
  ])('%s is known: %j', async (require, input) => {
    expect(await passes(require, input)).toBe(true)
  })
})

describe('FC-6, FC-12: keys and orders of another type', () => {
  test.each([
    ['args.to in facts.ids', { to: ['A'] }],
    ['facts.ids[args.to]', { to: ['A'] }],
    ['facts.ids[args.to]', { to: null }],
    ['args.v <= args.w', { v: '1000000', w: '20' }],
    ['args.v <= args.w', { v: '1000000', w: 'x' }],
  ])('%s: %j', async (require, input) => {
    expect(await passes(require, input)).toBe(false)
  })

  test.each([
    ['args.to in facts.ids && facts.ids[args.to]', { to: 'A' }],
    ['args.v < args.w', { v: '2027-01-01', w: '2027-01-02' }],
    ['["A"] in [args.to]', { to: ['A'] }],
  ])('%s is known: %j', async (require, input) => {
    expect(await passes(require, input)).toBe(true)
  })
})
