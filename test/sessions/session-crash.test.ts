import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { patience } from '../../packages/server/testing/testbed.ts'
import { running } from '../support/running.ts'
import { SessionTestbed } from './session-kit.ts'

let testbed: SessionTestbed
afterEach(() => testbed.close())

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
  while (!testbed.has(name)) await new Promise((resolve) => setTimeout(resolve, 20))
}

test(
  'SE-9: a server killed during a tool says so, and runs it again only when told',
  patience,
  async () => {
    testbed = new SessionTestbed()
    await testbed.boot()
    const { sessionId } = await testbed.spawnSession(slowEdit)
    await testbed.untilState(sessionId, 'ready')
    await testbed.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
    await untilFile('began')
    await testbed.kill()
    await testbed.boot()
    await testbed.untilState(sessionId, 'error')
    const found = await testbed.ask('GET', `/api/sessions/${sessionId}`)
    expect(found).toMatchObject({
      kind: 'error',
      lastError: { code: 'tool_execution_failed' },
      state: { toolRuns: [{ status: 'failed', error: expect.stringContaining('interrupted') }] },
    })
    expect(testbed.read('log.txt')).toBe('once\n')
    const shown = await testbed.testbed.hosted(['session', 'show', sessionId], testbed.token())
    expect(shown.out).toContain('interrupted')
    const answered = await testbed.ask('POST', `/api/sessions/${sessionId}/input`, {
      text: 'go on',
    })
    expect(answered.kind).toBe('calling_llm')
    await testbed.untilState(sessionId, 'ready', 2)
    const after = await testbed.ask('GET', `/api/sessions/${sessionId}`)
    expect(after.conversation.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
    expect(testbed.read('log.txt')).toBe('once\n')
  },
)

test.skipIf(process.platform !== 'linux')(
  'SE-9: what a killed server left running without a sandbox is ended by the next one',
  patience,
  async () => {
    testbed = new SessionTestbed()
    testbed.file('statewright.yaml', 'sandbox: off\n')
    await testbed.boot()
    const name = `left-${process.pid}-${Date.now()}`
    const child = `exec -a ${name} sleep 300`
    // One in the group of its call, one that has left it.
    const command = `setsid bash -c '${child}' & ${child}`
    const { sessionId } = await testbed.spawnSession({
      turns: [[{ tool: 'bash', arguments: { command } }]],
    })
    await testbed.untilState(sessionId, 'ready')
    await testbed.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
    await expect.poll(() => running(name).length, { timeout: 20_000 }).toBe(2)
    await testbed.kill()
    expect(running(name)).toHaveLength(2)
    await testbed.boot()
    expect(running(name)).toEqual([])
    await testbed.untilState(sessionId, 'error')
  },
)

test('SE-9: a server killed during a turn asks the model again', patience, async () => {
  testbed = new SessionTestbed()
  await testbed.boot()
  const script = {
    turns: [
      {
        attempts: [[{ text: 'half an ans' }, { delay_ms: 60_000 }], [{ text: 'A whole answer.' }]],
      },
    ],
  }
  const { sessionId } = await testbed.spawnSession(script)
  await testbed.untilState(sessionId, 'ready')
  await testbed.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
  await testbed.follow(sessionId, '0', (_event, data) => data.type === 'text_delta')
  await testbed.kill()
  await testbed.boot()
  const reported = await testbed.untilState(sessionId, 'ready', 2)
  expect(reported.some(({ data }) => data.type === 'session_error')).toBe(true)
  const found = await testbed.ask('GET', `/api/sessions/${sessionId}`)
  expect(found.conversation.at(-1)?.content).toBe('A whole answer.')
  const positions = reported.map(({ id }) => Number(id))
  expect(positions).toEqual(positions.map((_, at) => at + 1))
})

test(
  'SE-9, SE-15: a server killed during a hook says so, and the hook waits for a person',
  patience,
  async () => {
    testbed = new SessionTestbed()
    const hooks = [
      {
        name: 'note',
        command: ['bash', '-c', 'echo hook >> hooks.txt; [ -e again ] || sleep 60'],
      },
    ]
    writeFileSync(join(testbed.data, 'hooks.json'), JSON.stringify({ hooks }))
    await testbed.boot()
    const script = {
      turns: [[{ tool: 'bash', arguments: { command: 'echo x > x.txt' } }], [{ text: 'Done.' }]],
    }
    const { sessionId } = await testbed.spawnSession(script)
    await testbed.untilState(sessionId, 'ready')
    await testbed.ask('POST', `/api/sessions/${sessionId}/input`, { text: 'go' })
    await untilFile('hooks.txt')
    await testbed.kill()
    await testbed.boot()
    await testbed.untilState(sessionId, 'error')
    const found = await testbed.ask('GET', `/api/sessions/${sessionId}`)
    expect(found.state.hookRuns).toMatchObject([
      { status: 'failed', error: expect.stringContaining('interrupted') },
    ])
    expect(testbed.read('hooks.txt')).toBe('hook\n')
    testbed.file('again', '')
    const retried = await testbed.testbed.hosted(['session', 'retry', sessionId], testbed.token())
    expect(retried.exit).toBe(0)
    await testbed.untilState(sessionId, 'ready', 2)
    expect(testbed.read('hooks.txt')).toBe('hook\nhook\n')
  },
)
