import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'
import { SessionTestbed } from './session-kit.ts'

let served: ServedSessions
beforeEach(() => {
  served = new ServedSessions()
})
afterEach(() => served.close())

const slow = { tool: 'bash', arguments: { command: 'touch busy; sleep 30' } }
const users = (conversation: readonly { role: string; content: string }[]) =>
  conversation.filter(({ role }) => role === 'user').map(({ content }) => content)

describe('talking to a session that works', { timeout: 60_000 }, () => {
  test('SE-19: input waits for the end of the turn, in order, and may be taken back', async () => {
    await served.open()
    const id = await served.start([
      [{ tool: 'bash', arguments: { command: 'until test -f go; do sleep 0.02; done' } }],
      [{ text: 'First done.' }],
      [{ text: 'Second done.' }],
      [{ text: 'Third done.' }],
    ])
    await served.say(id, 'one')
    await served.until(id, 'executing_tools')
    for (const text of ['two', 'never', 'three']) {
      expect((await served.say(id, text)).status).toBe(200)
    }
    const { state } = await served.session(id)
    expect(state.queue.map(({ text }: { text: string }) => text)).toEqual(['two', 'never', 'three'])
    const taken = `/api/sessions/${id}/queue/${state.queue[1].messageId}`
    expect((await served.ask('DELETE', taken)).status).toBe(200)
    expect(await served.ask('DELETE', taken)).toMatchObject({ status: 409 })
    served.file('go', '')
    const last = async () => (await served.session(id)).conversation.at(-1)?.content
    await expect.poll(last, { timeout: 20_000 }).toBe('Third done.')
    const { conversation, state: after } = await served.session(id)
    expect(users(conversation)).toEqual(['one', 'two', 'three'])
    expect(after).toMatchObject({ queue: [], turns: 3, turn: { requests: 1 } })
  })

  test('SE-19: an interruption ends the turn and its command, and keeps the session', async () => {
    await served.open()
    const id = await served.start([[slow], [{ text: 'Quiet.' }]])
    expect((await served.ask('POST', `/api/sessions/${id}/interrupt`)).body.message).toBe(
      'No turn is under way.',
    )
    await served.say(id, 'work')
    await expect.poll(() => served.has('busy'), { timeout: 20_000 }).toBe(true)
    const stopped = await served.ask('POST', `/api/sessions/${id}/interrupt`)
    expect(stopped.body).toMatchObject({ kind: 'ready', lastError: null })
    expect(stopped.body.state.toolRuns).toMatchObject([{ toolName: 'bash', status: 'canceled' }])
    await served.say(id, 'what now?')
    await served.until(id, 'ready')
    const { conversation } = await served.session(id)
    expect(conversation.map(({ role }: { role: string }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'user', 'assistant'],
    ])
    expect(conversation[2].content).toBe(
      'The call was canceled. What it did before that is not known.',
    )
  })

  test('SE-19: input that interrupts is read next, before what was queued', async () => {
    await served.open()
    const id = await served.start([
      [{ text: 'Half a' }, { delay_ms: 60_000 }],
      [{ text: 'A.' }],
      [{ text: 'B.' }],
    ])
    await served.say(id, 'work')
    await expect
      .poll(async () => (await served.events(id)).some(({ type }) => type === 'text_delta'))
      .toBe(true)
    await served.say(id, 'later', { when: 'queue' })
    await served.say(id, 'no, this', { when: 'interrupt' })
    const last = async () => (await served.session(id)).conversation.at(-1)?.content
    await expect.poll(last, { timeout: 20_000 }).toBe('B.')
    const { conversation } = await served.session(id)
    expect(conversation.map(({ content }: { content: string }) => content)).toEqual([
      ...['work', 'Half a', 'no, this', 'A.', 'later', 'B.'],
    ])
  })

  test('SE-19: a stopped session is resumed, renamed and removed', async () => {
    await served.open()
    const id = await served.start([[{ text: 'One.' }], [{ text: 'Two.' }]])
    const path = `/api/sessions/${id}`
    await served.say(id, 'one')
    await served.until(id, 'ready')
    expect((await served.ask('DELETE', path)).status).toBe(409)
    await served.ask('POST', `${path}/stop`, { reason: 'enough for today' })
    await served.until(id, 'stopped')
    expect((await served.session(id)).state).toMatchObject({
      stopReason: 'enough for today',
      exitCode: 0,
    })
    expect((await served.say(id, 'two')).body.message).toContain('Resume it first')
    await served.ask('PUT', path, { title: 'The login' })
    expect((await served.ask('POST', `${path}/resume`)).status).toBe(200)
    await served.until(id, 'ready')
    await served.say(id, 'two')
    await served.until(id, 'ready')
    const resumed = await served.session(id)
    expect(resumed).toMatchObject({ title: 'The login', state: { stopReason: null } })
    expect(users(resumed.conversation)).toEqual(['one', 'two'])
    expect(resumed.updatedAtMs).toBeGreaterThan(resumed.createdAtMs)
    const listed = await served.ask('GET', '/api/sessions')
    expect(listed.body.sessions).toMatchObject([{ title: 'The login' }])
    await served.ask('POST', `${path}/stop`, {})
    await served.until(id, 'stopped')
    expect(await served.ask('DELETE', path)).toMatchObject({ status: 200, body: { removed: true } })
    expect((await served.ask('GET', path)).status).toBe(404)
  })
})

describe('retries and limits', { timeout: 60_000 }, () => {
  test('SE-5: a model that gave up is asked again by a person, and says so', async () => {
    await served.open()
    const down = { error: { code: 'down', message: 'model is down' } }
    const id = await served.start([
      { attempts: [[down], [down], [down]] },
      [{ text: 'not reached' }],
    ])
    await served.say(id, 'go')
    await served.until(id, 'ready')
    const { retries, lastError } = await served.session(id)
    expect(lastError).toMatchObject({ message: 'down: model is down', retryable: true })
    expect(retries).toEqual([{ kind: 'llm' }])
    expect((await served.ask('POST', `/api/sessions/${id}/retry`)).status).toBe(200)
    await served.until(id, 'ready')
    expect((await served.events(id)).filter(({ type }) => type === 'session_error')).toHaveLength(6)
  })

  test('SE-5: a harness that did not start is started again by a person', async () => {
    await served.open()
    const turns = { turns: [[{ text: 'Here.' }]] }
    served.file('turns.json', turns)
    const id = await served.start([], { options: { script: 'turns.json' } })
    await served.ask('POST', `/api/sessions/${id}/stop`)
    await served.until(id, 'stopped')
    rmSync(join(served.project, 'turns.json'))
    await served.ask('POST', `/api/sessions/${id}/resume`)
    await served.until(id, 'error')
    expect((await served.session(id)).retries).toEqual([{ kind: 'harness' }])
    served.file('turns.json', turns)
    await served.ask('POST', `/api/sessions/${id}/retry`)
    await served.until(id, 'ready')
    const none = await served.ask('POST', `/api/sessions/${id}/retry`)
    expect(none.body.message).toContain('Nothing to retry')
  })

  test('SE-5a: a turn ends when its requests are used up; a person lets it go on', async () => {
    await served.open({ sessions: { max_requests: 3 } })
    const look = [{ tool: 'list_files', arguments: {} }]
    const id = await served.start([look, look, look, look, [{ text: 'Done.' }]])
    await served.say(id)
    await served.until(id, 'ready')
    const { lastError, state, retries } = await served.session(id)
    expect(lastError).toMatchObject({ code: 'turn_limit_reached' })
    expect(lastError.message).toContain('was asked 3 times')
    expect(state.turn.requests).toBe(3)
    expect(retries).toEqual([{ kind: 'llm' }])
    await served.ask('POST', `/api/sessions/${id}/retry`)
    await expect
      .poll(async () => (await served.session(id)).conversation.at(-1)?.content)
      .toBe('Done.')
  })

  test('SE-5a: a tool may take as long as the configuration or the session says', async () => {
    await served.open({ sessions: { tool_timeouts_ms: { bash: 1000 } } })
    const sleep = [[{ tool: 'bash', arguments: { command: 'sleep 30' } }], [{ text: 'Done.' }]]
    const id = await served.start(sleep)
    await served.say(id)
    await served.until(id, 'error')
    const { lastError, state } = await served.session(id)
    expect(lastError).toMatchObject({ code: 'tool_execution_failed' })
    expect(state.toolRuns[0]).toMatchObject({ toolName: 'bash', status: 'failed' })
    const [{ startedAtMs, finishedAtMs }] = state.toolRuns
    expect(finishedAtMs - startedAtMs).toBeGreaterThanOrEqual(1000)
    const nap = [[{ tool: 'bash', arguments: { command: 'sleep 1.2' } }], [{ text: 'Done.' }]]
    const other = await served.start(nap, { limits: { tool_timeouts_ms: { bash: 60_000 } } })
    await served.say(other)
    await served.until(other, 'ready')
    expect((await served.session(other)).conversation.at(-1).content).toBe('Done.')
  })

  test('SE-5a: a model whose calls never work is stopped with a word', async () => {
    await served.open()
    const id = await served.start(
      Array.from({ length: 60 }, () => [{ tool: 'nope', arguments: {} }]),
    )
    await served.say(id)
    await served.until(id, 'ready')
    const { lastError, state } = await served.session(id)
    expect(lastError.message).toContain('The model seems stuck')
    expect(state.turn.requests).toBe(25)
  })

  test('SE-5a: the budget of a session stops its model, also when nothing judges it', async () => {
    await served.open()
    const paid = [{ tool: 'list_files', arguments: {} }, { usage: { cost_usd: 0.02 } }]
    const more = { limits: { max_cost_usd: 0.05 } }
    const id = await served.start(
      Array.from({ length: 9 }, () => paid),
      more,
    )
    await served.say(id)
    await served.until(id, 'ready')
    const { lastError, costUsd, state } = await served.session(id)
    expect(lastError.code).toBe('session_budget_exhausted')
    expect([costUsd, state.turn.requests]).toEqual([0.06, 3])
    await served.say(id, 'go on')
    await served.until(id, 'ready')
    expect((await served.session(id)).costUsd).toBe(0.06)
  })
})

test('SE-19, SE-9: what is queued survives a killed server', { timeout: 60_000 }, async () => {
  const testbed = new SessionTestbed()
  try {
    await testbed.boot()
    const wait = { tool: 'bash', arguments: { command: 'touch busy; sleep 60' } }
    const { sessionId: id } = await testbed.spawnSession({
      turns: [[wait], [{ text: 'One.' }], [{ text: 'Two.' }]],
    })
    const input = (body: object) => testbed.ask('POST', `/api/sessions/${id}/input`, body)
    await testbed.untilState(id, 'ready')
    await input({ text: 'one' })
    await expect.poll(() => testbed.has('busy'), { timeout: 20_000 }).toBe(true)
    await input({ text: 'two' })
    await testbed.kill()
    await testbed.boot()
    // The command may have done something: the person decides, and what waits goes on waiting.
    await testbed.untilState(id, 'error')
    await input({ text: 'three' })
    const inputs = async () => users((await testbed.ask('GET', `/api/sessions/${id}`)).conversation)
    await expect.poll(inputs, { timeout: 20_000 }).toEqual(['one', 'two', 'three'])
  } finally {
    await testbed.kill()
    testbed.close()
  }
})
