import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownAdapter } from '../../../testing/adapters.ts'
import {
  agent,
  ann,
  openRuntime,
  type RuntimeWorld,
  save,
  start,
} from '../../../testing/runtime.ts'
import { openCall } from '../../guard/guarded-call.ts'
import { changeRun } from './change-run.ts'

let world: RuntimeWorld
beforeAll(async () => {
  world = await openRuntime()
  await save(world.runtime, {
    id: 'forced',
    initial: 'one',
    marks: { untrusted: { on: 'WebFetch' } },
    facts: { known: { from: 'mcp__a__look', key: 'args.id' } },
    calls: {
      mcp__a__send: [{ require: '!marks.untrusted', message: 'No more.' }],
      mcp__a__pay: [{ require: 'args.id in facts.known', message: 'Look first.' }],
    },
    states: {
      one: { on: { NEXT: 'two' } },
      two: { on: { BACK: 'one', DONE: 'done' } },
      done: { type: 'final' },
    },
    meta: { debug: true },
  })
})
afterAll(() => world.close())

test.each([ann, agent])('FC-1: a state forced by $kind leaves marks and facts', async (by) => {
  const run = await start(world.runtime, agent, { workflow: 'forced' })
  const call = async (tool: string, input: object) => {
    const opened = await openCall(world.guard, ownAdapter, agent, { run, tool, input })
    if (!opened.ok) return opened.error.code
    await opened.value.finish({ bytes: 1, exit: 'success', result: { structured: {} } })
    return 'ran'
  }
  await call('WebFetch', { url: 'https://example.com' })
  await call('mcp__a__look', { id: '1' })
  for (const state of ['two', 'two', 'one']) {
    const forced = await changeRun(world.runtime, by, { run }, (_, facts) => {
      return { type: 'forced', state, ...facts }
    })
    if (!forced.ok) throw new Error(forced.error.message)
    expect(forced.value.live.snapshot.main.frames.at(-1)?.state).toBe(state)
    expect(await call('mcp__a__send', {})).toBe('condition_failed')
    expect(await call('mcp__a__pay', { id: '1' })).toBe('ran')
    expect(await call('mcp__a__pay', { id: '2' })).toBe('condition_failed')
  }
})
