import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { patience } from '../../packages/server/testing/place.ts'
import { running } from '../support/running.ts'
import { SessionPlace } from './session-kit.ts'

let place: SessionPlace
afterEach(() => place.close())

const slowEdit = {
  turns: [
    [
      { text: 'I write it down. ' },
      { tool: 'bash', arguments: { command: 'echo once >> log.txt; touch began; sleep 60' } },
    ],
    [{ text: 'Done.' }],
  ],
}

async function untilFile(name: string): Promise<void> {
  while (!place.has(name)) await new Promise((resolve) => setTimeout(resolve, 20))
}

test(
  'SE-9: a server killed during a tool says so, and runs it again only when told',
  patience,
  async () => {
    place = new SessionPlace()
    await place.boot()
    const { sessionId } = await place.spawnSession(slowEdit)
    await place.untilState(sessionId, 'ready')
    await place.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
    await untilFile('began')
    await place.kill()
    await place.boot()
    await place.untilState(sessionId, 'error')
    const found = await place.ask('GET', `/api/sessions/${sessionId}`)
    expect(found).toMatchObject({
      kind: 'error',
      lastError: { code: 'tool_execution_failed' },
      state: { toolRuns: [{ status: 'failed', error: expect.stringContaining('interrupted') }] },
    })
    expect(place.read('log.txt')).toBe('once\n')
    const shown = await place.place.hosted(['session', 'show', sessionId], place.token())
    expect(shown.out).toContain('interrupted')
    const answered = await place.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go on' })
    expect(answered.kind).toBe('calling_llm')
    await place.untilState(sessionId, 'ready', 2)
    const after = await place.ask('GET', `/api/sessions/${sessionId}`)
    expect(after.conversation.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
    expect(place.read('log.txt')).toBe('once\n')
  },
)

test.skipIf(process.platform !== 'linux')(
  'SE-9: what a killed server left running without a sandbox is ended by the next one',
  patience,
  async () => {
    place = new SessionPlace()
    place.file('statewright.yaml', 'sandbox: off\n')
    await place.boot()
    const name = `left-${process.pid}-${Date.now()}`
    const child = `exec -a ${name} sleep 300`
    // One in the group of its call, one that has left it.
    const command = `setsid bash -c '${child}' & ${child}`
    const { sessionId } = await place.spawnSession({
      turns: [[{ tool: 'bash', arguments: { command } }]],
    })
    await place.untilState(sessionId, 'ready')
    await place.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
    await expect.poll(() => running(name).length, { timeout: 20_000 }).toBe(2)
    await place.kill()
    expect(running(name)).toHaveLength(2)
    await place.boot()
    expect(running(name)).toEqual([])
    await place.untilState(sessionId, 'error')
  },
)

test('SE-9: a server killed during a turn asks the model again', patience, async () => {
  place = new SessionPlace()
  await place.boot()
  const script = {
    turns: [
      {
        attempts: [[{ text: 'half an ans' }, { delay_ms: 60_000 }], [{ text: 'A whole answer.' }]],
      },
    ],
  }
  const { sessionId } = await place.spawnSession(script)
  await place.untilState(sessionId, 'ready')
  await place.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
  await place.follow(sessionId, '0', (_event, data) => data.type === 'text_delta')
  await place.kill()
  await place.boot()
  const told = await place.untilState(sessionId, 'ready', 2)
  expect(told.some(({ data }) => data.type === 'session_error')).toBe(true)
  const found = await place.ask('GET', `/api/sessions/${sessionId}`)
  expect(found.conversation.at(-1)?.content).toBe('A whole answer.')
  const places = told.map(({ id }) => Number(id))
  expect(places).toEqual(places.map((_, at) => at + 1))
})

test(
  'SE-9, SE-15: a server killed during a hook says so, and the hook waits for a person',
  patience,
  async () => {
    place = new SessionPlace()
    const hooks = [
      {
        name: 'note',
        command: ['bash', '-c', 'echo hook >> hooks.txt; [ -e again ] || sleep 60'],
      },
    ]
    writeFileSync(join(place.data, 'hooks.json'), JSON.stringify({ hooks }))
    await place.boot()
    const script = {
      turns: [[{ tool: 'bash', arguments: { command: 'echo x > x.txt' } }], [{ text: 'Done.' }]],
    }
    const { sessionId } = await place.spawnSession(script)
    await place.untilState(sessionId, 'ready')
    await place.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
    await untilFile('hooks.txt')
    await place.kill()
    await place.boot()
    await place.untilState(sessionId, 'error')
    const found = await place.ask('GET', `/api/sessions/${sessionId}`)
    expect(found.state.hookRuns).toMatchObject([
      { status: 'failed', error: expect.stringContaining('interrupted') },
    ])
    expect(place.read('hooks.txt')).toBe('hook\n')
    place.file('again', '')
    const retried = await place.place.hosted(['session', 'retry', sessionId], place.token())
    expect(retried.exit).toBe(0)
    await place.untilState(sessionId, 'ready', 2)
    expect(place.read('hooks.txt')).toBe('hook\nhook\n')
  },
)
