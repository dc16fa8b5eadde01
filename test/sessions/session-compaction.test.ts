import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { ServedSessions } from './served-sessions.ts'

let sessions: ServedSessions
let model: FakeModel

beforeEach(async () => {
  sessions = new ServedSessions()
  await sessions.open()
})
afterEach(async () => {
  await model.close()
  await sessions.close()
})

/** A session with a model over HTTP; requests without tools, those for a summary, answer "ok". */
async function start(script: readonly Turn[], limits: object = {}): Promise<string> {
  model = await startFakeModel(script)
  const options = { provider: 'anthropic', model: 'claude-x', base_url: `${model.url}/v1` }
  return sessions.start([], { harness: 'model', options, limits })
}

async function talk(id: string, words: string) {
  await sessions.say(id, words)
  await sessions.until(id, 'ready')
  return sessions.session(id)
}

const compact = (id: string) => sessions.ask('POST', `/api/sessions/${id}/compact`)
const message = 'prompt is too long: 9 tokens > 8 maximum'
const tooLong = {
  status: 400,
  body: { type: 'error', error: { type: 'invalid_request_error', message } },
}

describe('a conversation is compacted', { timeout: 60_000 }, () => {
  test('SE-20: by command, at the API; before that there is nothing to sum up', async () => {
    const id = await start([[{ text: 'I read it all.' }], [{ text: 'Yes.' }]])
    expect((await compact(id)).body).toMatchObject({ code: 'state_transition_invalid' })
    const before = await talk(id, 'read everything')
    expect(before.state.context).toMatchObject({ windowTokens: 200_000 })
    const { tokens } = before.state.context
    expect((await compact(id)).status).toBe(200)
    await sessions.until(id, 'ready')
    const { conversation } = await talk(id, 'is it done?')
    expect(conversation.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'compaction',
      'user',
      'assistant',
    ])
    const sent = JSON.stringify(model.requests.at(-1)?.messages)
    expect(sent).toContain('read everything')
    expect(sent).toContain('so the model summarized it:\\nok')
    expect(sent).toContain('is it done?')
    const events = await sessions.events(id)
    expect(events.filter(({ type }) => type === 'compacted')).toMatchObject([
      { how: 'summary', summary: 'ok', tokensBefore: tokens },
    ])
  })

  test('SE-20: before the window is full, by the limit that was given', async () => {
    const id = await start([[{ text: 'x'.repeat(4000) }], [{ text: 'Yes.' }]], {
      context_tokens: 1000,
    })
    await talk(id, 'talk much')
    const { conversation } = await talk(id, 'go on')
    expect(conversation.at(-2)).toMatchObject({ role: 'compaction', how: 'summary', content: 'ok' })
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('x'.repeat(100))
  })

  test('SE-20a: when the model says that it is too long; once, then it is an error', async () => {
    const id = await start([tooLong, [{ text: 'It fits.' }], tooLong, tooLong])
    const { conversation, lastError } = await talk(id, 'go')
    expect(conversation.at(-1)).toMatchObject({ role: 'assistant', content: 'It fits.' })
    expect(lastError).toBeNull()
    const after = await talk(id, 'again')
    expect(after.lastError).toMatchObject({
      code: 'streaming_failed',
      message: expect.stringContaining('context_too_long'),
      retryable: false,
    })
    expect(model.requests).toHaveLength(4)
  })

  test('SE-19: a model that a person chooses is asked from the next request on', async () => {
    const id = await start([[{ text: 'one' }], [{ text: 'two' }], [{ text: 'three' }]])
    await talk(id, 'a')
    await sessions.ask('PUT', `/api/sessions/${id}`, { model: 'claude-opus-4-5' })
    await talk(id, 'b')
    await sessions.ask('PUT', `/api/sessions/${id}`, { model: null })
    await talk(id, 'c')
    expect(model.requests.map((one) => one.model)).toEqual([
      'claude-x',
      'claude-opus-4-5',
      'claude-x',
    ])
  })

  test('SE-20: a model that a state names has its own window', async () => {
    const states = {
      wide: { model: 'gpt-4.1', on: { NEXT: 'narrow' } },
      narrow: { model: 'claude-x', on: { DONE: 'end' } },
      end: { type: 'final' },
    }
    await sessions.ask('PUT', '/api/workflows/windows', { id: 'windows', initial: 'wide', states })
    model = await startFakeModel([])
    const much = { usage: { input_tokens: 170_000, output_tokens: 10 } }
    const move = { tool: 'statewright_transition', arguments: { event: 'NEXT' } }
    const turns = [[{ text: 'One.' }, much], [move, much], [{ text: 'Two.' }]]
    const id = await sessions.start(turns, { workflow: 'windows' })
    // Both would be too much for the usual window, and are not for this one.
    expect((await talk(id, 'one')).state.context).toMatchObject({ windowTokens: 1_000_000 })
    const { conversation, state } = await talk(id, 'two')
    expect(state.context.windowTokens).toBe(200_000)
    expect(conversation.map(({ role }: { role: string }) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant', 'tool'],
      ...['compaction', 'assistant'],
    ])
    // One each for the two answers and for the summary.
    expect(state.turn.requests).toBe(3)
  })

  test('SE-20: a model that a person chooses has its own window, but for a limit', async () => {
    const id = await start([])
    const choose = (body: object) => sessions.ask('PUT', `/api/sessions/${id}`, body)
    expect((await choose({ model: 'gpt-5.2' })).body.state.context.windowTokens).toBe(400_000)
    expect((await choose({ model: null })).body.state.context.windowTokens).toBe(200_000)
    const other = await start([], { context_tokens: 5000 })
    const chosen = await sessions.ask('PUT', `/api/sessions/${other}`, { model: 'gpt-5.2' })
    expect(chosen.body.state.context.windowTokens).toBe(5000)
  })
})
