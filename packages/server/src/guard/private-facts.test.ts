import type { ObservedResult } from '@statewright/core/internal'
import { afterEach, describe, expect, test } from 'vitest'
import { ownAdapter } from '../../testing/adapters.ts'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { allEntries, verifyRun } from '../runtime/runs/read-run.ts'
import { openCall } from './guarded-call.ts'

let world: RuntimeWorld
afterEach(() => world.close())

const one = 'sk-aaaaaaaaaaaaaaaaaaaaaaaa'
const two = 'sk-bbbbbbbbbbbbbbbbbbbbbbbb'

/** A run in which `show` teaches `seen`, and `use` needs what a condition says of it. */
async function begin(seen: object, require: string) {
  world = await openRuntime()
  await save(world.runtime, {
    id: 'vault',
    initial: 'working',
    facts: { seen: { from: 'mcp__vault__show', ...seen } },
    calls: { mcp__vault__use: [{ require, message: 'No.' }] },
    states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
  })
  const run = await start(world.runtime, agent, { workflow: 'vault' })
  const call = async (tool: string, input: object, result: ObservedResult = {}) => {
    const request = { run, tool, server: 'vault', input }
    const opened = await openCall(world.guard, ownAdapter, agent, request)
    if (!opened.ok) return opened.error.code
    await opened.value.finish({ bytes: 1, exit: 'success', result })
    return 'ran'
  }
  return {
    show: (structured: ObservedResult['structured'] & object, input: object = {}) =>
      call('show', input, { structured }),
    use: (input: object) => call('use', input),
    /** Everything that is kept of the run: events, entries, and the blobs beside them. */
    async kept() {
      expect(await verifyRun(world.runtime, run)).toMatchObject({ ok: true })
      const live = await world.runtime.live.get(run)
      return JSON.stringify([await allEntries(world.runtime, run), live?.snapshot])
    },
  }
}

describe('FC-7: a secret', () => {
  test.each([
    ['by its look', { value: one }, { value: one }, { value: two }],
    [
      'by the name of its field',
      { password: 'hunter2x' },
      { password: 'hunter2x' },
      { password: 'hunter3x' },
    ],
    [
      'inside a text',
      { value: `Bearer ${one}` },
      { value: `Bearer ${one}` },
      { value: `Bearer ${two}` },
    ],
    [
      'after its name',
      { value: 'token=aaaabbbbcccc1' },
      { value: 'token=aaaabbbbcccc1' },
      { value: 'token=aaaabbbbcccc2' },
    ],
  ])('FC-7: %s equals itself and no other, and is kept nowhere', async (_, seen, same, other) => {
    const [field] = Object.keys(seen)
    const play = await begin({ value: `result.${field}` }, `facts.seen == args.${field}`)
    expect(await play.show(seen)).toBe('ran')
    expect(await play.use(other)).toBe('condition_failed')
    expect(await play.use(same)).toBe('ran')
    const kept = await play.kept()
    for (const secret of [one, two, 'hunter2x', 'hunter3x', 'aaaabbbbcccc1', 'aaaabbbbcccc2']) {
      expect(kept).not.toContain(secret)
    }
  })

  test('FC-7: two secrets in arguments differ where they differ', async () => {
    const play = await begin({}, 'args.one == args.two')
    const led = (text: string) => `curl -H "token=${text}" x`
    expect(await play.use({ one: led('aaaabbbbcccc1'), two: led('aaaabbbbcccc2') })).toBe(
      'condition_failed',
    )
    expect(await play.use({ one: led('aaaabbbbcccc1'), two: led('aaaabbbbcccc1') })).toBe('ran')
  })
})

describe('FC-7: a private fact', () => {
  const byId = { each: 'result.rows', key: 'item.id', value: 'item.value', private: true }

  test.each([
    ['texts', 'ann@example.com', 'blue', 'red'],
    ['numbers', 4711, 120, 121],
    ['large numbers', 90_071_992, 1e21, 1e22],
    ['fractions', 0.5, -1.25, 1.25],
  ])('FC-7: of %s is a hash in the history, and answers to the same', async (_, id, value, no) => {
    const play = await begin(byId, 'args.id in facts.seen && facts.seen[args.id] == args.value')
    await play.show({
      rows: [
        { id, value },
        { id: 'else', value: 'more' },
      ],
    })
    const kept = await play.kept()
    for (const text of [id, value, 'else', 'more']) expect(kept).not.toContain(`"${text}"`)
    expect(kept).not.toMatch(/"value":(?!"sealed:)/)
    expect(await play.use({ id: 'nobody', value })).toBe('condition_failed')
    expect(await play.use({ id, value: no })).toBe('condition_failed')
    expect(await play.use({ id, value })).toBe('ran')
  })

  test('FC-7: of yes and no answers to the same', async () => {
    const play = await begin(byId, 'facts.seen[args.id] == args.value')
    const rows = [true, false].map((value) => ({ id: `is ${value}`, value }))
    await play.show({ rows })
    expect(await play.use({ id: 'is true', value: false })).toBe('condition_failed')
    expect(await play.use({ id: 'is false', value: true })).toBe('condition_failed')
    for (const row of rows) expect(await play.use(row)).toBe('ran')
  })

  test('FC-7: a number is not the text that is written alike', async () => {
    const play = await begin({ value: 'result.n', private: true }, 'facts.seen == args.n')
    await play.show({ n: 120 })
    expect(await play.use({ n: '120' })).toBe('condition_failed')
    expect(await play.use({ n: 120 })).toBe('ran')
  })

  test('FC-7: a hash that somebody read is not what it stands for', async () => {
    const play = await begin(byId, 'args.id in facts.seen || args.id == facts.seen["x"]')
    await play.show({ rows: [{ id: 'ann', value: 'blue' }] })
    const hashes = (await play.kept()).match(/sealed:[0-9a-f]{32}/g) ?? []
    expect(hashes.length).toBeGreaterThan(1)
    for (const id of new Set(hashes)) expect(await play.use({ id })).toBe('condition_failed')
    expect(await play.use({ id: 'ann' })).toBe('ran')
  })

  test('FC-7: a value without a key is unknown to every order', async () => {
    const play = await begin({ value: 'result.n', private: true }, 'args.n <= facts.seen')
    await play.show({ n: 120 })
    expect(await play.use({ n: 5 })).toBe('condition_failed')
  })
})
