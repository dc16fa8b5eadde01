import type { HookConfig } from '@statewright/core/internal'
import { afterEach, expect, test } from 'vitest'
import {
  call,
  completed,
  forever,
  openWorld,
  say,
  spawn,
  story,
  text,
  type World,
} from '../../../testing/broker.ts'
import { ann } from '../../../testing/runtime.ts'

let world: World
afterEach(() => world.close())

const format: HookConfig = {
  name: 'format',
  command: ['true'],
  timeout_ms: 1000,
  failure_policy: { type: 'fail_session' },
  tool_filter: { type: 'any_mutating' },
}

test('SE-9: a model call under way is told as broken and retried', async () => {
  const began = Promise.withResolvers<void>()
  world = await openWorld({
    answers: [
      async function* (_request, signal) {
        yield text('half an ans')
        began.resolve()
        await forever(signal)
      },
      [text('whole'), completed],
    ],
  })
  const id = await spawn(world)
  await say(world, id)
  await began.promise
  await world.crash()
  await world.until(id, 'ready')
  expect(world.requests.map(({ attempt }) => attempt)).toEqual([1, 2])
  const messages = await world.runtime.store.sessions.messages(id)
  expect(messages.map(({ content }) => content)).toEqual(['go', 'whole'])
  expect(story(await world.updates(id))).toContain('error streaming_failed')
})

test('SE-9: a mutating tool that ran is failed as interrupted and not run again', async () => {
  const began = Promise.withResolvers<void>()
  world = await openWorld({
    answers: [[call('bash', 'a'), call('read_file', 'b'), completed], [completed]],
    tool: async ({ callId, signal }) => {
      if (callId === 'a' && world.toolRuns.filter((run) => run.callId === 'a').length === 1) {
        began.resolve()
        await forever(signal)
      }
      return { status: 'succeeded', output: 'ok', isError: false }
    },
  })
  const id = await spawn(world)
  await say(world, id)
  await began.promise
  await world.crash()
  await world.until(id, 'error')
  expect(world.toolRuns.filter(({ callId }) => callId === 'a')).toHaveLength(1)
  const attached = await world.broker.attach(ann, id)
  if (!attached.ok) throw new Error('not there')
  const failed = attached.value.snapshot.toolRuns.find(({ toolName }) => toolName === 'bash')
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('interrupted') })
  await world.broker.retry(ann, id, { kind: 'tool', runId: failed?.runId ?? '' })
  await world.until(id, 'ready')
  expect(world.toolRuns.filter(({ callId }) => callId === 'a')).toHaveLength(2)
})

test('SE-9: a hook that ran is failed as interrupted and not run again', async () => {
  const began = Promise.withResolvers<void>()
  world = await openWorld({
    answers: [[call('bash', 'a'), completed], [completed]],
    hooks: [format],
    hook: async (_name, signal) => {
      if (world.hookRuns.length === 1) {
        began.resolve()
        await forever(signal)
      }
      return { status: 'succeeded', output: '' }
    },
  })
  const id = await spawn(world)
  await say(world, id)
  await began.promise
  await world.crash()
  await world.until(id, 'error')
  expect(world.hookRuns).toEqual(['format'])
  const attached = await world.broker.attach(ann, id)
  if (!attached.ok) throw new Error('not there')
  const [run] = attached.value.snapshot.hookRuns
  expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('interrupted') })
  await world.broker.retry(ann, id, { kind: 'hook', runId: run?.runId ?? '' })
  await world.until(id, 'ready')
  expect(world.hookRuns).toEqual(['format', 'format'])
  expect(world.toolRuns).toHaveLength(1)
})

test('SE-9: a session that was ready is there with its conversation, and goes on', async () => {
  world = await openWorld({ answers: [[text('one'), completed]] })
  const id = await spawn(world)
  await say(world, id, 'first')
  await world.until(id, 'ready')
  await world.crash()
  expect(world.broker.size).toBe(1)
  await say(world, id, 'second')
  await world.until(id, 'ready')
  expect(world.requests.at(-1)?.messages.map(({ content }) => content)).toEqual([
    'first',
    'one',
    'second',
  ])
})

test('SE-9: one that was stopping has stopped', async () => {
  world = await openWorld({ answers: [[completed]], stop: () => new Promise(() => {}) })
  const id = await spawn(world)
  await world.broker.stop(ann, id, 'enough')
  await world.until(id, 'stopping')
  await world.crash()
  await world.until(id, 'stopped')
})
