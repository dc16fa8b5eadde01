import type { HookConfig } from '@statewright/core/internal'
import { afterEach, describe, expect, test } from 'vitest'
import {
  call,
  completed,
  eve,
  forever,
  openWorld,
  say,
  spawn,
  story,
  text,
  viewOf,
  type World,
  type WorldOptions,
} from '../../../testing/broker.ts'
import { ann } from '../../../testing/runtime.ts'

let world: World
afterEach(() => world.close())

async function open(options: WorldOptions): Promise<World> {
  world = await openWorld(options)
  return world
}

const format: HookConfig = {
  name: 'format',
  command: ['true'],
  timeout_ms: 1000,
  failure_policy: { type: 'fail_session' },
  tool_filter: { type: 'any_mutating' },
}

describe('a turn', () => {
  test('SE-3, SE-14: it is told event by event, as the example of the seed', async () => {
    await open({
      answers: [
        [text('Looking. '), call('edit_file', 'call_1'), completed],
        [text('Done.'), completed],
      ],
      hooks: [format],
    })
    const id = await spawn(world)
    await say(world, id)
    await world.until(id, 'ready')
    const updates = await world.updates(id)
    expect(story(updates)).toEqual([
      'idle -> starting (spawned)',
      'starting -> ready (ready)',
      'ready -> calling_llm (user_input)',
      'stream text_delta',
      'stream tool_call_completed',
      'stream completed',
      'calling_llm -> processing_response (stream_completed)',
      'processing_response -> executing_tools (tools_requested)',
      'tool edit_file queued',
      'tool edit_file running',
      'tool edit_file succeeded',
      'executing_tools -> post_tools_hook (tools_completed)',
      'hook format queued',
      'hook format running',
      'hook format succeeded',
      'post_tools_hook -> calling_llm (hooks_completed)',
      'stream text_delta',
      'stream completed',
      'calling_llm -> processing_response (stream_completed)',
      'processing_response -> ready (stream_completed)',
    ])
    const view = viewOf(id, updates)
    expect(view).toMatchObject({ state: 'ready', costUsd: 0.02 })
    expect(view.items.map(({ kind }) => kind)).toEqual([
      'input',
      'answer',
      'tool',
      'hook',
      'answer',
      'turn',
    ])
    const stored = await world.broker.updates(id, 0, 100)
    expect(stored.map(({ place }) => place)).toEqual(stored.map((_, at) => at + 1))
    const attached = await world.broker.attach(ann, id)
    expect(attached).toMatchObject({ ok: true, value: { row: { costMicros: 20_000 } } })
  })

  test('SE-1: each request has the whole conversation, results in the order of calls', async () => {
    const slow = Promise.withResolvers<void>()
    await open({
      answers: [
        [text('Two.'), call('read_file', 'a'), call('grep', 'b'), completed],
        [text('Yes.'), completed],
      ],
      tool: async ({ callId }) => {
        if (callId === 'a') await slow.promise
        else slow.resolve()
        return { status: 'succeeded', output: `result of ${callId}`, isError: callId === 'b' }
      },
    })
    const id = await spawn(world)
    await say(world, id, 'read both')
    await world.until(id, 'ready')
    expect(world.requests.map(({ messages }) => messages.length)).toEqual([1, 4])
    expect(world.requests[1]?.messages).toMatchObject([
      { role: 'user', content: 'read both' },
      { role: 'assistant', content: 'Two.', toolCalls: [{ callId: 'a' }, { callId: 'b' }] },
      { role: 'tool', toolCallId: 'a', content: 'result of a', isError: false },
      { role: 'tool', toolCallId: 'b', content: 'result of b', isError: true },
    ])
    expect(world.requests[0]?.tools.map(({ name }) => name)).toEqual(['read_file'])
    expect(new Set(world.requests.map(({ streamId }) => streamId)).size).toBe(2)
  })

  test('SE-5: a stream that breaks is retried as data, until the retries are used up', async () => {
    const broken = [{ type: 'error', payload: { code: 'overloaded', message: 'later' } }] as const
    await open({ answers: [broken] })
    const id = await spawn(world)
    await say(world, id)
    await world.until(id, 'ready')
    expect(world.requests.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    const view = viewOf(id, await world.updates(id))
    expect(view.lastError).toMatchObject({ code: 'streaming_failed', retryable: true })
    expect(await world.broker.attach(ann, id)).toMatchObject({
      value: { snapshot: { lastError: { message: 'overloaded: later' } } },
    })
  })

  test('SE-5: a harness that throws, or ends without an answer, counts as broken', async () => {
    await open({
      answers: [
        async function* () {
          yield text('half')
          throw new Error('socket closed')
        },
        [text('half again')],
        [text('whole'), completed],
      ],
    })
    const id = await spawn(world)
    await say(world, id)
    await world.until(id, 'ready')
    expect(world.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 1])
    const messages = await world.runtime.store.sessions.messages(id)
    expect(messages.map(({ content }) => content)).toEqual(['go', 'whole'])
  })

  test('SE-13: pieces out of order are put in order, and a hole is told', async () => {
    await open({
      answers: [
        [
          { ...text('a'), seq: 1 },
          { ...text('c'), seq: 3 },
          { ...text('b'), seq: 2 },
          { ...text('b'), seq: 2 },
          { ...completed, seq: 4 },
        ],
      ],
    })
    const id = await spawn(world)
    await say(world, id)
    await world.until(id, 'ready')
    const answer = viewOf(id, await world.updates(id)).items.find(({ kind }) => kind === 'answer')
    expect(answer).toMatchObject({ text: 'abc', isDone: true })
  })
})

describe('failing and stopping', () => {
  test('SE-4, SE-5: a mutating tool that failed waits for a person, who may retry it', async () => {
    let tries = 0
    await open({
      answers: [[call('edit_file', 'a'), call('read_file', 'b'), completed], [completed]],
      tool: async ({ callId }) => {
        tries += callId === 'a' ? 1 : 0
        if (callId === 'a' && tries === 1) return { status: 'failed', error: 'no space left' }
        return { status: 'succeeded', output: 'ok', isError: false }
      },
    })
    const id = await spawn(world)
    await say(world, id)
    await world.until(id, 'error')
    const attached = await world.broker.attach(ann, id)
    if (!attached.ok) throw new Error('not there')
    const failed = attached.value.snapshot.toolRuns.find(({ status }) => status === 'failed')
    expect(failed).toMatchObject({ toolName: 'edit_file', error: 'no space left' })
    const target = { kind: 'tool', runId: failed?.runId ?? '' } as const
    expect((await world.broker.retry(ann, id, target)).ok).toBe(true)
    await world.until(id, 'ready')
    expect(tries).toBe(2)
    expect(world.toolRuns.filter(({ callId }) => callId === 'b')).toHaveLength(1)
    const again = await world.broker.retry(ann, id, target)
    expect(again).toMatchObject({ ok: false, error: { code: 'state_transition_invalid' } })
  })

  test('SE-7: stop cancels what runs and wins over everything', async () => {
    const began = Promise.withResolvers<void>()
    await open({
      answers: [[call('bash', 'a'), completed]],
      tool: async ({ signal }) => {
        began.resolve()
        await forever(signal)
        return { status: 'succeeded', output: 'too late', isError: false }
      },
    })
    const id = await spawn(world)
    await say(world, id)
    await began.promise
    expect((await world.broker.stop(ann, id, 'enough')).ok).toBe(true)
    await world.until(id, 'stopped')
    const lines = story(await world.updates(id))
    expect(lines.slice(-4)).toEqual([
      'tool bash running',
      'tool bash canceled',
      'executing_tools -> stopping (stop_requested)',
      'stopping -> stopped (harness_exited)',
    ])
    expect((await world.broker.stop(ann, id, 'again')).ok).toBe(true)
    expect(await world.broker.input(ann, id, { text: 'more' })).toMatchObject({
      error: { code: 'state_transition_invalid' },
    })
    expect(world.broker.size).toBe(0)
  })

  test('SE-15: a hook file that cannot be used is told, and the session works', async () => {
    await open({ answers: [[call('bash', 'a'), completed], [completed]], hookProblem: 'no JSON' })
    const id = await spawn(world)
    await say(world, id)
    await world.until(id, 'ready')
    const lines = story(await world.updates(id))
    expect(lines).toContain('error hook_config_invalid')
    expect(world.hookRuns).toEqual([])
  })

  test('SE-2: a harness that cannot start is told as harness_failed', async () => {
    await open({
      answers: [],
      harness: { start: () => Promise.reject(new Error('no such program')) },
    })
    const id = await spawn(world)
    const view = viewOf(id, await world.updates(id))
    expect(view.state).toBe('error')
    expect(view.lastError?.code).toBe('harness_failed')
    expect(view.lastError?.message).toContain('no such program')
  })
})

describe('limits and rights', () => {
  test('SE-14: unknown harness, too many sessions, too long an input', async () => {
    await open({ answers: [[completed]], limits: { sessions: 1, input: 10 } })
    const request = { harness: 'nothing', projectPath: '/', options: {} }
    expect(await world.broker.spawn(ann, request)).toMatchObject({ error: { code: 'usage' } })
    const id = await spawn(world)
    const second = await world.broker.spawn(ann, { ...request, harness: 'scripted' })
    expect(second).toMatchObject({ error: { code: 'too_many_requests' } })
    const long = await world.broker.input(ann, id, { text: 'x'.repeat(11) })
    expect(long).toMatchObject({ error: { code: 'body_too_large' } })
  })

  test('SE-14: a conversation that grew too large is told, and takes no more', async () => {
    await open({
      answers: [[text('x'.repeat(500)), completed]],
      limits: { conversation: 400 },
      harness: { runsOwnTools: true },
    })
    const id = await spawn(world)
    await say(world, id)
    await world.until(id, 'ready')
    const more = await world.broker.input(ann, id, { text: 'more' })
    expect(more).toMatchObject({ error: { code: 'context_too_large' } })
  })

  test('SE-14: an agent sees only its own sessions', async () => {
    await open({ answers: [[completed]] })
    const id = await spawn(world)
    const mine = await spawn(world, { caller: eve })
    expect(await world.broker.attach(eve, id)).toMatchObject({
      error: { code: 'session_not_found' },
    })
    expect(await world.broker.stop(eve, id, 'x')).toMatchObject({
      error: { code: 'session_not_found' },
    })
    const rows = await world.broker.list(eve, 10)
    expect(rows.map(({ sessionId }) => sessionId)).toEqual([mine])
    expect(await world.broker.list(ann, 10)).toHaveLength(2)
  })

  test('SE-19: input while it works is queued, and the state is kept', async () => {
    await open({
      answers: [
        async function* (_request, signal) {
          yield text('thinking')
          await forever(signal)
        },
      ],
    })
    const id = await spawn(world)
    await say(world, id)
    const second = await world.broker.input(ann, id, { text: 'and?' })
    expect(second).toMatchObject({
      value: { snapshot: { kind: 'calling_llm', queue: [{ text: 'and?' }] } },
    })
  })
})

describe('whoever follows a session', () => {
  test('SE-14: is told at once, also when somebody before them leaves twice', async () => {
    await open({ answers: [[text('Hello.'), completed]] })
    const id = await spawn(world)
    await world.until(id, 'ready')
    const leave = world.broker.watch(id, () => {})
    leave()
    let rings = 0
    const leaveLater = world.broker.watch(id, () => {
      rings += 1
    })
    // A stream that its reader closed ends once more when it has nothing left to say.
    leave()
    await say(world, id)
    await expect.poll(() => rings).toBeGreaterThan(0)
    leaveLater()
    expect(world.broker.watchers).toBe(0)
  })
})
