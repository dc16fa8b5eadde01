import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesOf, patience } from '../server-kit.ts'
import { SessionPlace } from './session-kit.ts'

const place = new SessionPlace()

beforeAll(async () => {
  place.file(
    'demo.yaml',
    [
      'turns:',
      '  - - thinking: Let me look.',
      '    - text: "I read it.\\nThen I tell. "',
      '    - tool: read_file',
      '      arguments: { path: demo.yaml }',
      '    - usage: { cost_usd: 0.0123 }',
      '  - - text: All is well.',
    ].join('\n'),
  )
  place.file('slow.json', {
    turns: [[{ tool: 'bash', arguments: { command: 'touch began; sleep 30; touch late' } }]],
  })
  await place.boot()
}, patience.timeout)
afterAll(() => place.close())

const scripted = ['session', 'start', '--harness', 'scripted', '--script']

test(
  'SE-14, SE-17: a session is started, followed and ended at the command line',
  patience,
  async () => {
    const ran = await place.place.run([...scripted, 'demo.yaml', '--say', 'go'], place.token())
    expect(ran.talk).toContain('started sess_')
    expect(ran.out.split('\n')).toEqual([
      '[starting]',
      '[ready]',
      '> go',
      '[calling_llm]',
      'I read it.',
      'Then I tell. ',
      'tool read_file: requested',
      '[processing_response]',
      '[executing_tools]',
      'tool read_file: queued',
      'tool read_file: running',
      expect.stringMatching(/^tool read_file: succeeded, \d+ ms$/),
      '[calling_llm]',
      'All is well.',
      '[processing_response]',
      '[ready] $0.0123',
      '[stopping]',
      '[stopped]',
      '',
    ])
    expect(ran.exit).toBe(0)
  },
)

test(
  'SE-14: list, show, send and stop name a session by the beginning of its id',
  patience,
  async () => {
    const run = (...args: string[]) => place.place.run(['session', ...args], place.token())
    const started = await place.place.run([...scripted, 'demo.yaml', '--detach'], place.token())
    const id = started.out.trim()
    await place.untilState(id, 'ready')
    const listed = await run('list')
    expect(listed.out).toContain(id.slice(0, 13))
    expect((await run('send', id.slice(0, 13), 'good', 'morning')).exit).toBe(0)
    await place.untilState(id, 'ready', 2)
    const shown = JSON.parse((await run('show', id, '--json')).out)
    expect(shown.conversation[0]).toMatchObject({ role: 'user', content: 'good morning' })
    expect((await run('retry', id)).exit).toBe(2)
    expect((await run('stop', id)).exit).toBe(0)
    await place.untilState(id, 'stopped')
    expect((await run('send', id, 'more')).exit).toBe(3)
    expect((await run('show', 'sess_nothing')).exit).toBe(4)
  },
)

test('SE-7, SE-14: Ctrl-C stops the session and what it runs', patience, async () => {
  const child = place.place.start([...scripted, 'slow.json', '--say', 'go'], place.token())
  const view = linesOf(child)
  await view.until('tool bash: running')
  while (!place.has('began')) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  expect(await view.ended).toBe(130)
  expect(view.lines.slice(-3)).toEqual([
    expect.stringMatching(/^tool bash: canceled, \d+ ms$/),
    '[stopping]',
    '[stopped]',
  ])
  expect(place.has('late')).toBe(false)
})
