import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bin, linesOf, patience, threeLines } from '../../packages/server/testing/place.ts'
import { SessionPlace } from './session-kit.ts'

const place = new SessionPlace()
const talking: ChildProcess[] = []

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
afterAll(() => {
  for (const child of talking) child.kill('SIGKILL')
  place.close()
})

/** A session at a command line that somebody types into. */
function talk(script: string) {
  const child = spawn(process.execPath, [bin, ...scripted, script], {
    cwd: place.project,
    env: place.place.environment(place.token()),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  talking.push(child)
  return { child, view: linesOf(child) }
}

const scripted = ['session', 'start', '--harness', 'scripted', '--script']

test(
  'SE-14, SE-17: a session is started, followed and ended at the command line',
  patience,
  async () => {
    const ran = await place.place.hosted([...scripted, 'demo.yaml', '--say', 'go'], place.token())
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
    const run = (...args: string[]) => place.place.hosted(['session', ...args], place.token())
    const started = await place.place.hosted([...scripted, 'demo.yaml', '--detach'], place.token())
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

test('SE-14: a session that cannot begin ends with 1 and is stopped', patience, async () => {
  place.file('broken.yaml', 'turns: [[{ sing: true }]]')
  const ran = await place.place.hosted([...scripted, 'broken.yaml', '--say', 'go'], place.token())
  const id = /sess_[0-9a-f-]+/.exec(ran.talk)?.[0] ?? ''
  expect(ran.talk).toMatch(threeLines('harness_failed'))
  expect(ran.out.split('\n').slice(-4)).toEqual(['[error]', '[stopping]', '[stopped]', ''])
  expect(ran.exit).toBe(1)
  expect((await place.ask('GET', `/api/sessions/${id}`)).kind).toBe('stopped')
})

test('SE-14: a model that cannot be asked ends --say with 1', patience, async () => {
  const start = ['session', 'start', '--harness', 'model', '--say', 'go']
  const ran = await place.place.hosted(start, place.token())
  expect(ran.out).toContain('No model was named: give --model')
  expect(ran.out.split('\n').slice(-4)).toEqual(['[ready]', '[stopping]', '[stopped]', ''])
  expect(ran.exit).toBe(1)
  const keyless = await place.place.hosted([...start, '--model', 'claude-x'], place.token())
  expect(keyless.out).toContain('start the server with ANTHROPIC_API_KEY set')
  expect(keyless.exit).toBe(1)
})

test('SE-5, SE-14: a failed tool that changes things ends --say with 1', patience, async () => {
  const command = 'echo x > half.txt; sleep 60'
  place.file('hangs.json', {
    turns: [[{ tool: 'bash', arguments: { command, timeout_ms: 200 } }], [{ text: 'Done.' }]],
  })
  const ran = await place.place.hosted([...scripted, 'hangs.json', '--say', 'go'], place.token())
  expect(ran.talk).toMatch(threeLines('tool_execution_failed'))
  expect(ran.exit).toBe(1)
})

test('SE-5, SE-14: a person is shown how to have it run again', patience, async () => {
  const { child, view } = talk('hangs.json')
  child.stdin?.write('go\n')
  await view.said('runs it again')
  child.stdin?.end('go on without\n')
  expect(await view.ended).toBe(0)
  expect(view.lines).toContain('Done.')
})

test('SE-5, SE-14: a failure that a retry has mended is no error', patience, async () => {
  place.file('stumbles.json', {
    turns: [{ attempts: [[{ error: { code: 'lost', message: 'lost' } }], [{ text: 'Done.' }]] }],
  })
  const ran = await place.place.hosted([...scripted, 'stumbles.json', '--say', 'go'], place.token())
  expect([ran.exit, ran.out.includes('Done.')]).toEqual([0, true])
})

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
