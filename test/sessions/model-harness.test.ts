import { afterEach, describe, expect, test } from 'vitest'
import { modelHarness } from '../../packages/server/src/orchestrator/harness/model.ts'
import type { HarnessPart, HarnessSession } from '../../packages/server/src/orchestrator/ports.ts'
import { builtInTools } from '../../packages/server/src/tools/all.ts'
import { askHarness, contextOf, requestOf } from '../../packages/server/testing/harness.ts'
import { startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { type ChatTurn, startFakeChat } from '../support/fake-openai-chat.ts'
import { type ResponsesTurn, startFakeResponses } from '../support/fake-openai-responses.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface ModelRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

interface Bench {
  readonly session: HarnessSession
  readonly requests: readonly ModelRequest[]
  readonly slept: readonly number[]
}

/** A session with a scripted model that speaks the wire format of a provider. */
/** Longer than a busy machine takes for an answer: only a test about silence has a shorter one. */
const patientMs = 60_000

async function open(
  wire: Wire,
  script: readonly WireTurn[],
  more = {},
  silenceMs = patientMs,
): Promise<Bench> {
  const fake = await startWire(wire, script)
  closing.push(() => fake.close())
  const base_url = wire === 'anthropic' ? `${fake.url}/v1` : fake.url
  const slept: number[] = []
  const harness = modelHarness({
    variables: {},
    silenceMs,
    now: () => 0,
    sleep: async (ms) => {
      slept.push(ms)
    },
  })
  const model = wire === 'anthropic' ? 'claude-sonnet-4-5' : 'gpt-5.2'
  const options = { provider: wire, model, base_url, ...more }
  const session = await harness.start(contextOf({ options }))
  return { session, requests: fake.requests, slept }
}

/** What all formats can say. */
type WireTurn = Turn & ChatTurn & ResponsesTurn

async function startWire(wire: Wire, script: readonly WireTurn[]) {
  if (wire === 'anthropic') return startFakeModel(script)
  return wire === 'openai-responses' ? startFakeResponses(script) : startFakeChat(script)
}

type Wire = 'anthropic' | 'openai' | 'openai-compatible' | 'openai-responses'
const wires: readonly Wire[] = ['anthropic', 'openai', 'openai-compatible', 'openai-responses']

const go = (more = {}) =>
  requestOf([{ user: 'go' }], {
    tools: builtInTools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
    ...more,
  })

const neverAborted = () => new AbortController().signal

const typesOf = (parts: readonly HarnessPart[]) =>
  parts.map(({ type }) => type).filter((type) => type !== 'tool_call_delta')

describe.each(wires)('a model that speaks as %s', (wire) => {
  test('SE-12: its words are streamed, with what they cost', async () => {
    const { session, requests } = await open(wire, [[{ text: 'Hello.' }]])
    const parts = await askHarness(session, go({ brief: 'Phase: planning.' }))
    expect(parts[0]).toEqual({ type: 'text_delta', payload: { text: 'Hello.' } })
    expect(parts.at(-1)).toMatchObject({
      type: 'completed',
      payload: { inputTokens: 10, outputTokens: 10, costUsd: expect.any(Number) },
    })
    expect(JSON.stringify(requests)).toContain('Phase: planning.')
  })

  test('SE-12: parallel tool calls come in their order', async () => {
    const { session } = await open(wire, [
      [
        { text: 'I look.' },
        { tool: 'read_file', input: { path: 'a' }, id: 'c1' },
        { tool: 'read_file', input: { path: 'b' }, id: 'c2' },
      ],
    ])
    const parts = await askHarness(session, go())
    const calls = parts.filter(({ type }) => type === 'tool_call_completed')
    expect(calls.map(({ payload }) => payload)).toEqual([
      { callId: 'c1', name: 'read_file', arguments: { path: 'a' } },
      { callId: 'c2', name: 'read_file', arguments: { path: 'b' } },
    ])
    expect(parts.at(-1)?.payload).toMatchObject({ finishReason: 'tool-calls' })
  })

  test('SE-12: results go back as answers to their calls, with all that was said', async () => {
    const { session, requests } = await open(wire, [[{ text: 'Done.' }]])
    const call = (callId: string, path: string) => ({
      callId,
      name: 'read_file',
      arguments: { path },
    })
    const conversation = requestOf([
      { user: 'go' },
      { assistant: 'I look.', calls: [call('c1', 'a'), call('c2', 'b')] },
      { tool: 'text of a', callId: 'c1', name: 'read_file' },
      { tool: 'not_found: b', callId: 'c2', name: 'read_file', isError: true },
    ])
    await askHarness(session, { ...go(), messages: conversation.messages })
    const sent = JSON.stringify(requests[0]?.messages)
    const offsets = ['go', 'I look.', 'c1', 'c2', 'text of a', 'not_found: b'].map((text) =>
      sent.indexOf(text),
    )
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
    expect(offsets).not.toContain(-1)
    const roles = requests[0]?.messages.map(({ role }) => role)
    const asWire = {
      anthropic: ['user', 'assistant', 'user'],
      openai: ['user', 'assistant', 'tool', 'tool'],
      'openai-compatible': ['user', 'assistant', 'tool', 'tool'],
      // There, each call is an item of its own.
      'openai-responses': ['user', 'assistant', 'assistant', 'assistant', 'tool', 'tool'],
    }
    expect(roles).toEqual(asWire[wire])
  })

  test('SE-4: arguments that are no JSON stay a text, and can be sent back', async () => {
    const broken = '{"path": "a'
    const { session, requests } = await open(wire, [
      [{ tool: 'read_file', input: broken, id: 'c1' }],
      [{ text: 'Sorry.' }],
    ])
    const parts = await askHarness(session, go())
    const call = parts.find(({ type }) => type === 'tool_call_completed')
    expect(call?.payload).toEqual({ callId: 'c1', name: 'read_file', arguments: broken })
    const { messages } = requestOf([
      { user: 'go' },
      { assistant: '', calls: [{ callId: 'c1', name: 'read_file', arguments: broken }] },
      { tool: 'invalid_arguments', callId: 'c1', name: 'read_file', isError: true },
    ])
    const after = await askHarness(session, { ...go(), messages })
    expect(typesOf(after)).toEqual(['text_delta', 'completed'])
    expect(JSON.stringify(requests[1]?.messages)).toContain('malformed_arguments')
  })

  test('SE-5, SE-13: a connection that breaks in mid-stream is an error to retry', async () => {
    const { session } = await open(wire, [{ cut: [{ text: 'Hel' }] }])
    const parts = await askHarness(session, go())
    expect(typesOf(parts)).toEqual(['text_delta', 'error'])
    expect(parts.at(-1)?.payload).toMatchObject({ code: 'stream_broken', retryable: true })
  })

  test('SE-5, SE-12a: status 429 makes the next attempt wait as it asks', async () => {
    const headers = { 'retry-after': '7' }
    const { session, slept } = await open(wire, [{ status: 429, headers }, [{ text: 'Now.' }]])
    const [error] = await askHarness(session, go())
    expect(error).toMatchObject({
      type: 'error',
      payload: { code: 'rate_limited', retryable: true, retryAfterMs: 7000 },
    })
    const again = await askHarness(session, go({ attempt: 2 }))
    expect(slept).toEqual([7000])
    expect(typesOf(again)).toEqual(['text_delta', 'completed'])
  })

  test('SE-5: an hour until the next attempt is not waited for', async () => {
    const { session } = await open(wire, [{ status: 429, headers: { 'retry-after': '3600' } }])
    const [error] = await askHarness(session, go())
    expect(error?.payload).toMatchObject({ code: 'rate_limited', retryable: false })
  })

  test('SE-5: faults of the server can be retried, one request for each attempt', async () => {
    const { session, requests } = await open(wire, [{ status: 500 }, { status: 503 }])
    for (const attempt of [1, 2]) {
      const [error, ...others] = await askHarness(session, go({ attempt }))
      expect(error?.payload).toMatchObject({ code: 'model_unavailable', retryable: true })
      expect(others).toEqual([])
      expect(requests.length).toBe(attempt)
    }
  })

  test('SE-5: what is wrong with the request itself is not retried', async () => {
    const { session } = await open(wire, [{ status: 401 }])
    const [error] = await askHarness(session, go())
    expect(error?.payload).toMatchObject({ code: 'model_refused', retryable: false })
  })

  test('SE-5: a first word that does not come in time is an error to retry', async () => {
    const { session } = await open(wire, [{ silent: true }], {}, 400)
    const [error] = await askHarness(session, go())
    expect(error?.payload).toEqual({
      code: 'model_timeout',
      message: 'The model said nothing for 0.4 s.',
      retryable: true,
    })
  })

  test('SE-13: it is read on only when there is room for its words', async () => {
    const { session } = await open(wire, [[{ text: 'a' }, { text: 'b' }]])
    const { promise, resolve } = Promise.withResolvers<void>()
    const rooms: string[] = []
    const parts: HarnessPart[] = []
    const room = () => {
      rooms.push(parts.map(({ type }) => type).join(' '))
      return rooms.at(-1) === 'text_delta' ? promise : undefined
    }
    const done = session.send(go({ room }), (part) => void parts.push(part), neverAborted())
    await expect.poll(() => rooms.at(-1)).toBe('text_delta')
    // Whatever else came meanwhile was not read.
    await new Promise((wait) => setImmediate(wait))
    expect(typesOf(parts)).toEqual(['text_delta'])
    resolve()
    await done
    expect(typesOf(parts).at(-1)).toBe('completed')
  })

  test('SE-7: stop ends a request without a word', async () => {
    const { session, requests } = await open(wire, [{ silent: true }])
    const stop = new AbortController()
    const asked = askHarness(session, go(), stop.signal)
    await expect.poll(() => requests.length).toBe(1)
    stop.abort()
    expect(await asked).toEqual([])
  })

  test('SE-12: a state may wish for another model and for more thinking', async () => {
    const { session } = await open(wire, [[{ text: 'a' }]])
    const named = wire === 'anthropic' ? 'claude-opus-4-5' : 'gpt-5.4'
    const parts = await askHarness(session, go({ model: named, thinkingLevel: 'low' }))
    expect(parts.at(-1)?.payload).toMatchObject({ model: named })
  })
})

describe('a model that speaks as openai-responses', () => {
  test('SE-12c: thinking is shown and comes back sealed; nothing is left there', async () => {
    const fake = await startFakeResponses([
      [{ thinking: 'Look first.' }, { tool: 'read_file', input: { path: 'a' }, id: 'c1' }],
      [{ text: 'Done.' }],
    ])
    closing.push(() => fake.close())
    const options = { provider: 'openai-responses', model: 'gpt-5.2', base_url: fake.url }
    const session = await modelHarness({ variables: {} }).start(contextOf({ options }))
    const parts = await askHarness(session, go({ thinkingLevel: 'low' }))
    expect(parts[0]).toEqual({ type: 'thinking_delta', payload: { text: 'Look first.' } })
    const raw = parts.at(-1)?.payload.raw
    const { messages } = requestOf([
      { user: 'go' },
      {
        assistant: '',
        calls: [{ callId: 'c1', name: 'read_file', arguments: { path: 'a' } }],
        ...(raw === undefined ? {} : { raw }),
      },
      { tool: 'text of a', callId: 'c1', name: 'read_file' },
    ])
    await askHarness(session, { ...go(), messages })
    const [first, second] = fake.requests
    expect([first?.store, second?.store]).toEqual([false, false])
    expect(first?.tools[0]).toMatchObject({ type: 'function', strict: false })
    expect(JSON.stringify(second?.input)).toContain('sealed call_')
  })

  test.each([
    ['server_error', 'model_unavailable', true],
    ['rate_limit_exceeded', 'rate_limited', true],
    ['context_length_exceeded', 'context_too_long', false],
    ['invalid_prompt', 'model_refused', false],
  ])('SE-5, SE-20a: a response that failed with %s is %s', async (code, ours, retryable) => {
    const error = { code, message: `It failed with ${code}.` }
    const fake = await startFakeResponses([{ failed: error }])
    closing.push(() => fake.close())
    const options = { provider: 'openai-responses', model: 'gpt-5.2', base_url: fake.url }
    const session = await modelHarness({ variables: {} }).start(contextOf({ options }))
    const [part] = await askHarness(session, go())
    expect(part?.payload).toMatchObject({ code: ours, retryable })
  })
})

describe('who is asked', () => {
  const start = (options: object, variables = {}) =>
    modelHarness({ variables }).start(contextOf({ options: { ...options } }))

  test('SE-12: a model without a known provider is refused at the start', async () => {
    await expect(start({ model: 'llama' })).rejects.toThrow('provider')
    await expect(start({ model: 'openai-compatible/llama' })).rejects.toThrow('base_url')
    await expect(start({ provider: 'acme', model: 'x' })).rejects.toThrow('provider')
  })

  test('SE-12a: the key of the server goes to its own address only', async () => {
    const keys: unknown[] = []
    const fake = await startFakeModel([[{ text: 'a' }], [{ text: 'b' }]])
    closing.push(() => fake.close())
    const listen = globalThis.fetch
    globalThis.fetch = (input, init) => {
      keys.push(new Headers(init?.headers).get('x-api-key'))
      return listen(input, init)
    }
    try {
      const variables = { ANTHROPIC_API_KEY: 'ours', ANTHROPIC_BASE_URL: fake.url }
      const model = 'claude-sonnet-4-5'
      await askHarness(await start({ model }, variables), go())
      const elsewhere = fake.url.replace('127.0.0.1', 'localhost')
      await askHarness(await start({ model, base_url: `${elsewhere}/v1` }, variables), go())
    } finally {
      globalThis.fetch = listen
    }
    expect(keys).toEqual(['ours', ''])
  })
})
