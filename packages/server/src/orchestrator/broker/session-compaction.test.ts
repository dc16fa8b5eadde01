import type { AgentMessage } from '@statewright/core/internal'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Answering,
  call,
  completed,
  openWorld,
  say,
  story,
  text,
  type World,
  type WorldOptions,
} from '../../../testing/broker.ts'
import { ann } from '../../../testing/runtime.ts'
import type { HarnessPart, TurnRequest } from '../ports.ts'

let world: World
afterEach(() => world.close())

const counted = (inputTokens: number): HarnessPart => ({
  type: 'completed',
  payload: { inputTokens, outputTokens: 10 },
})
const tooLong: HarnessPart = {
  type: 'error',
  payload: { code: 'context_too_long', message: 'prompt is too long', retryable: false },
}

/** A session with a window of a thousand tokens. */
async function open(answers: WorldOptions['answers'], more: Partial<WorldOptions> = {}) {
  world = await openWorld({ answers, ...more })
  const spawned = await world.broker.spawn(ann, {
    harness: 'scripted',
    projectPath: world.folder,
    options: {},
    limits: { context_tokens: 1000 },
  })
  if (!spawned.ok) throw new Error(JSON.stringify(spawned.error))
  const { sessionId } = spawned.value.row
  await world.until(sessionId, 'ready')
  return sessionId
}

async function attached(id: string) {
  const view = await world.broker.attach(ann, id)
  if (!view.ok) throw new Error(view.error.message)
  return view.value
}

const rolesOf = (messages: readonly AgentMessage[]) => messages.map(({ role }) => role).join(' ')
const purposes = () =>
  world.requests.map(({ isSummary }) => (isSummary ? 'summary' : 'turn')).join(' ')
const wordsOf = ({ messages }: Pick<TurnRequest, 'messages'>) =>
  messages.map(({ content }) => content).join('|')

describe('a conversation that comes to the end of its window', () => {
  test('SE-20: it is summed up before the request that would be too long', async () => {
    const id = await open([
      [text('Looked.'), counted(900)],
      [text('All is looked at.'), completed],
      [text('Done.'), counted(200)],
    ])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    expect((await attached(id)).snapshot.context).toEqual({ tokens: 910, windowTokens: 1000 })
    await say(world, id, 'go on')
    await expect.poll(async () => (await attached(id)).snapshot.context?.tokens).toBe(210)
    expect(purposes()).toBe('turn summary turn')
    const [, summary, last] = world.requests
    expect(summary?.tools).toEqual([])
    expect(summary?.messages).toHaveLength(1)
    expect(wordsOf(summary ?? { messages: [] })).toContain('agent: Looked.')
    expect(wordsOf(last ?? { messages: [] })).toContain('summarized it:\nAll is looked at.')
    const { messages } = await attached(id)
    expect(rolesOf(messages)).toBe('user assistant user compaction assistant')
    expect(story(await world.updates(id)).slice(-8)).toEqual(
      [
        'ready -> calling_llm (compaction)',
        'stream completed',
        'compacted summary',
        'calling_llm -> processing_response (stream_completed)',
        'processing_response -> calling_llm (compaction)',
        'stream text_delta',
        'stream completed',
        'calling_llm -> processing_response (stream_completed)',
        'processing_response -> ready (stream_completed)',
      ].slice(-8),
    )
  })

  test('SE-20: long results are cut short first, without asking the model', async () => {
    const id = await open(
      [
        [
          call('read_file', 'a', { path: 'long' }),
          call('read_file', 'b', { path: 'long' }),
          counted(20),
        ],
        [call('read_file', 'c', { path: 'short' }), counted(790)],
        [text('Done.'), counted(300)],
      ],
      {
        tool: async ({ arguments: args }) => {
          const output = JSON.stringify(args).includes('long') ? 'x'.repeat(1100) : 'ok'
          return { status: 'succeeded', output, isError: false }
        },
      },
    )
    await say(world, id, 'look')
    await world.until(id, 'ready')
    expect(purposes()).toBe('turn turn turn')
    const results = world.requests.at(-1)?.messages.filter(({ role }) => role === 'tool')
    expect(results?.map(({ content }) => content.slice(-24))).toEqual([
      '740 characters left out]',
      '740 characters left out]',
      'ok',
    ])
    expect(rolesOf((await attached(id)).messages)).toBe(
      'user assistant tool tool assistant tool compaction assistant',
    )
  })

  test('SE-20a: a model that says so gets it compacted once, then the error stands', async () => {
    const id = await open([
      [tooLong],
      [text('Short.'), completed],
      [tooLong],
      [text('ok'), completed],
    ])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    expect(purposes()).toBe('turn summary turn')
    const { snapshot } = await attached(id)
    expect(snapshot.lastError?.message).toBe('context_too_long: prompt is too long')
    // The next words may be what helps: then it is tried once more.
    await say(world, id, 'shorter')
    await expect.poll(purposes).toBe('turn summary turn turn')
  })

  test('SE-20a: a request for a summary that is too long is halved, then left out', async () => {
    const id = await open([
      [text('x'.repeat(4000)), counted(950)],
      ...Array(4).fill([tooLong]),
      [text('Done.'), counted(50)],
    ])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    await say(world, id, 'go on')
    await expect.poll(purposes).toBe('turn summary summary summary summary turn')
    const lengths = world.requests.slice(1, 5).map((request) => wordsOf(request).length)
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a))
    expect(wordsOf(world.requests[5] ?? { messages: [] })).toContain('were left out')
    await world.until(id, 'ready')
    expect(story(await world.updates(id))).toContain('compacted cut')
  })

  test('SE-20a: without words the model is asked again, then it goes without', async () => {
    const id = await open([
      [text('x'), counted(950)],
      ...Array(3).fill([completed]),
      [text('Done.'), counted(50)],
    ])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    await say(world, id, 'go on')
    await expect.poll(purposes).toBe('turn summary summary summary turn')
    await world.until(id, 'ready')
    expect(story(await world.updates(id))).toContain('compacted cut')
  })

  test('SE-20a: where it fails for good nothing has changed, and a retry helps', async () => {
    const refused: HarnessPart = {
      type: 'error',
      payload: { code: 'model_refused', message: 'no key', retryable: false },
    }
    const id = await open([
      [text('Hm.'), counted(950)],
      [refused],
      [text('Sum.'), completed],
      [text('Done.'), counted(50)],
    ])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    await say(world, id, 'go on')
    await expect
      .poll(async () => (await attached(id)).snapshot.lastError?.message)
      .toContain('no key')
    expect(rolesOf((await attached(id)).messages)).toBe('user assistant user')
    expect((await world.broker.retry(ann, id)).ok).toBe(true)
    await expect
      .poll(async () => rolesOf((await attached(id)).messages))
      .toBe('user assistant user compaction assistant')
  })
})

describe('while a summary is made', () => {
  /** Says half a summary and waits; another attempt says all of it. */
  const halting = (): { readonly answer: Answering; readonly hasBegun: () => boolean } => {
    let begun = 0
    return {
      hasBegun: () => begun > 0,
      async *answer(_request, signal) {
        begun += 1
        yield text('Half')
        if (begun === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        else yield completed
      },
    }
  }

  test('SE-20a: a person who speaks waits for it, or interrupts it', async () => {
    const { answer, hasBegun } = halting()
    const id = await open([[text('Hm.'), completed], answer, [text('Yes.'), completed]])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    expect((await world.broker.compact(ann, id)).ok).toBe(true)
    await expect.poll(hasBegun).toBe(true)
    await say(world, id, 'later')
    expect((await attached(id)).snapshot.queue).toMatchObject([{ text: 'later' }])
    const now = await world.broker.input(ann, id, { text: 'now', when: 'interrupt' })
    expect(now.ok).toBe(true)
    await expect.poll(() => world.requests.length).toBe(4)
    await world.until(id, 'ready')
    const { messages } = await attached(id)
    expect(messages.map(({ content }) => content)).not.toContain('Half')
    expect(rolesOf(messages)).toBe('user assistant user assistant user assistant')
  })

  test('SE-20a: by command it rests afterwards, and begins what was said meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const id = await open([
      [text('Hm.'), completed],
      async function* () {
        await promise
        yield text('Sum.')
        yield completed
      },
      [text('Yes.'), completed],
    ])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    await world.broker.compact(ann, id)
    await say(world, id, 'later')
    resolve()
    await expect
      .poll(async () => rolesOf((await attached(id)).messages))
      .toBe('user assistant compaction user assistant')
  })

  test('SE-20a: a server that dies asks for it again', async () => {
    const { answer, hasBegun } = halting()
    const id = await open([[text('Hm.'), completed], answer, answer])
    await say(world, id, 'look')
    await world.until(id, 'ready')
    await world.broker.compact(ann, id)
    await expect.poll(hasBegun).toBe(true)
    await world.crash()
    await world.until(id, 'ready')
    expect(purposes()).toBe('turn summary summary')
    expect(rolesOf((await attached(id)).messages)).toBe('user assistant compaction')
  })
})
