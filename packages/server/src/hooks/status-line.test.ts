import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { statusLine } from './status-line.ts'

const limited = {
  id: 'limited',
  initial: 'planning',
  states: {
    planning: { allowed_tools: ['Read'], max_iterations: 2, on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

let world: RuntimeWorld

beforeEach(async () => {
  world = await openRuntime()
  await save(world.runtime, limited)
})
afterEach(() => world.close())

describe('the status line', () => {
  test('is empty without a run, and shows phase and calls left with one', async () => {
    expect(await statusLine(world.runtime, agent, 's')).toBe('')
    await start(world.runtime, agent, { workflow: 'limited', session: 's' })
    expect(await statusLine(world.runtime, agent, 's')).toBe('statewright: planning · 2 calls left')
    const request = { session: 's', tool: 'Read', input: { file_path: '/x' } }
    await check(world.guard, agent, request)
    expect(await statusLine(world.runtime, agent, 's')).toBe('statewright: planning · 1 call left')
    expect(await statusLine(world.runtime, agent, 'other')).toBe('')
  })

  test('says so when nothing may run, and when nothing is denied', async () => {
    const settings = { ...world.runtime.settings, strict: true, mode: 'observe' } as const
    const line = await statusLine({ ...world.runtime, settings }, agent, 's')
    expect(line).toBe('statewright: no run, no tools · only observed')
  })
})
