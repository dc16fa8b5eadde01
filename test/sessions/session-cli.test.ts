import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bin, linesOf, patience, threeLines } from '../../packages/server/testing/testbed.ts'
import { atTerminal } from '../support/terminal.ts'
import { SessionTestbed } from './session-kit.ts'

const testbed = new SessionTestbed()
const talking: ChildProcess[] = []

beforeAll(async () => {
  testbed.file(
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
  testbed.file('slow.json', {
    turns: [[{ tool: 'bash', arguments: { command: 'touch began; sleep 30; touch late' } }]],
  })
  await testbed.boot()
}, patience.timeout)
afterAll(() => {
  for (const child of talking) child.kill('SIGKILL')
  testbed.close()
})

/** A session at a command line that somebody types into. */
function talk(script: string) {
  const child = spawn(process.execPath, [bin, ...scripted, script], {
    cwd: testbed.project,
    env: testbed.testbed.environment(testbed.token()),
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
    const ran = await testbed.testbed.hosted(
      [...scripted, 'demo.yaml', '--say', 'go'],
      testbed.token(),
    )
    expect(ran.talk).toContain('started sess_')
    expect(ran.out.split('\n')).toEqual([
      '[ready]',
      '> go',
      'I read it.',
      'Then I tell. ',
      expect.stringMatching(/^tool read_file \S+: running$/),
      expect.stringMatching(/^tool read_file \S+: done, \d+ ms$/),
      '  | turns:',
      expect.stringMatching(/^ {2}\| /),
      expect.stringMatching(/^ {2}\| /),
      '  | … 4 more lines',
      'All is well.',
      '[ready] $0.0123',
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
    const run = (...args: string[]) => testbed.testbed.hosted(['session', ...args], testbed.token())
    const started = await testbed.testbed.hosted(
      [...scripted, 'demo.yaml', '--detach'],
      testbed.token(),
    )
    const id = started.out.trim()
    await testbed.untilState(id, 'ready')
    const listed = await run('list')
    expect(listed.out).toContain(id.slice(0, 13))
    expect((await run('send', id.slice(0, 13), 'good', 'morning')).exit).toBe(0)
    await testbed.untilState(id, 'ready', 2)
    const shown = JSON.parse((await run('show', id, '--json')).out)
    expect(shown.conversation[0]).toMatchObject({ role: 'user', content: 'good morning' })
    expect((await run('compact', id)).exit).toBe(0)
    await testbed.untilState(id, 'ready', 3)
    expect((await run('show', id)).out).toMatch(/context: {2}about \d+ of 128,000 tokens \(0 %\)/)
    expect((await run('retry', id)).exit).toBe(2)
    expect((await run('stop', id)).exit).toBe(0)
    await testbed.untilState(id, 'stopped')
    expect((await run('send', id, 'more')).exit).toBe(3)
    expect((await run('show', 'sess_nothing')).exit).toBe(4)
  },
)

test('SE-14b: a script that cannot be read starts no session', patience, async () => {
  testbed.file('broken.yaml', 'turns: [[{ sing: true }]]')
  const ran = await testbed.testbed.hosted(
    [...scripted, 'broken.yaml', '--say', 'go'],
    testbed.token(),
  )
  expect(ran.talk).toMatch(/^usage: The script is not valid: /)
  expect([ran.out, ran.exit]).toEqual(['', 2])
})

test('SE-14: a model that cannot be asked ends --say with 1', patience, async () => {
  const start = ['session', 'start', '--harness', 'model', '--say', 'go']
  const ran = await testbed.testbed.hosted(start, testbed.token())
  expect(ran.out).toContain('No model was named: add --model')
  expect(ran.out.split('\n').slice(-3)).toEqual(['[ready]', '[stopped]', ''])
  expect(ran.exit).toBe(1)
  const keyless = await testbed.testbed.hosted([...start, '--model', 'claude-x'], testbed.token())
  expect(keyless.out).toContain('start the server with ANTHROPIC_API_KEY set')
  expect(keyless.exit).toBe(1)
})

test('SE-5, SE-14: a failed tool that changes things ends --say with 1', patience, async () => {
  const command = 'echo x > half.txt; sleep 60'
  testbed.file('hangs.json', {
    turns: [[{ tool: 'bash', arguments: { command, timeout_ms: 200 } }], [{ text: 'Done.' }]],
  })
  const ran = await testbed.testbed.hosted(
    [...scripted, 'hangs.json', '--say', 'go'],
    testbed.token(),
  )
  expect(ran.talk).toMatch(threeLines('tool_execution_failed'))
  expect(ran.exit).toBe(1)
})

test('SE-5, SE-14: a person is shown how to have it run again', patience, async () => {
  const { child, view } = talk('hangs.json')
  child.stdin?.write('go\n')
  await view.waitForTalk('to run it again')
  child.stdin?.end('go on without\n')
  expect(await view.ended).toBe(0)
  expect(view.lines).toContain('Done.')
})

test('SE-5, SE-14: a failure that a retry has mended is no error', patience, async () => {
  testbed.file('stumbles.json', {
    turns: [{ attempts: [[{ error: { code: 'lost', message: 'lost' } }], [{ text: 'Done.' }]] }],
  })
  const ran = await testbed.testbed.hosted(
    [...scripted, 'stumbles.json', '--say', 'go'],
    testbed.token(),
  )
  expect([ran.exit, ran.out.includes('Done.')]).toEqual([0, true])
})

test('SE-7, SE-14: Ctrl-C stops the session and what it runs', patience, async () => {
  const child = testbed.testbed.start([...scripted, 'slow.json', '--say', 'go'], testbed.token())
  const view = linesOf(child)
  await view.until(': running')
  while (!testbed.has('began')) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  expect(await view.ended).toBe(130)
  expect(view.lines.slice(-2)).toEqual([
    expect.stringMatching(/^tool bash .*: canceled, \d+ ms$/),
    '[stopped]',
  ])
  expect(testbed.has('late')).toBe(false)
})

test('SE-14c: what waits is shown, and answered in place at a terminal', patience, async () => {
  const workflow = {
    id: 'asking',
    initial: 'work',
    states: { work: { on: { DONE: 'done' } }, done: { type: 'final' } },
    policy: { allow: [], ask: [{ capability: 'write' }], deny: [], default: 'allow' },
  }
  await fetch(`${testbed.server.url}/api/workflows/asking`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${testbed.server.person_token}` },
    body: JSON.stringify(workflow),
  })
  const write = (path: string) => ({ tool: 'write_file', arguments: { path, content: 'x' } })
  testbed.file('asks.json', {
    turns: [[write('one.txt')], [write('two.txt')], [{ text: 'Well.' }]],
  })
  const { project, testbed: bed } = testbed
  const start = `'${process.execPath}' '${bin}' ${scripted.join(' ')} asks.json --workflow asking`
  const screen = await atTerminal(
    start,
    { folder: bed.folder, cwd: project, env: bed.environment(testbed.token()) },
    [
      { question: /\[ready\]\s+> /, answer: 'go\n' },
      { question: /one\.txt[\s\S]*answer with/, answer: '/approve fine\n' },
      { question: /two\.txt[\s\S]*answer with/, answer: '/reject\n' },
      { question: /needs a reason/, answer: '/reject not that one\n' },
      { question: /Well\.\s+\[ready\]\s+> /, answer: '\u0004' },
    ],
  )
  expect(screen).toContain('approved: write_file')
  expect(screen).toMatch(/tool write_file one\.txt: done, \d+ ms\n {2}\| Created one\.txt\./)
  expect(screen).toMatch(/tool write_file two\.txt: denied.*\n {2}\| .*not that one/)
  expect([testbed.has('one.txt'), testbed.has('two.txt')]).toEqual([true, false])
})

test(
  'SE-14, SE-19: at a terminal Ctrl-C interrupts the turn and keeps the session',
  patience,
  async () => {
    testbed.file('long.json', {
      turns: [[{ tool: 'bash', arguments: { command: 'sleep 60' } }], [{ text: 'Well.' }]],
    })
    const { project, testbed: bed } = testbed
    const start = `'${process.execPath}' '${bin}' ${scripted.join(' ')} long.json`
    const screen = await atTerminal(
      start,
      { folder: bed.folder, cwd: project, env: bed.environment(testbed.token()) },
      [
        { question: /\[ready\]\s+> /, answer: 'go\n' },
        { question: /sleep 60: running/, answer: '\u0003' },
        { question: /Interrupting[\s\S]*\[ready\]\s+> /, answer: 'and now?\n' },
        { question: /Well\.\s+\[ready\]\s+> /, answer: '\u0004' },
      ],
    )
    expect(screen).toContain('canceled')
  },
)

test('SE-14, SE-19: the other verbs of a session', patience, async () => {
  testbed.file('gives-up.json', {
    turns: [
      {
        attempts: [
          [{ error: { code: 'lost', message: 'lost', retryable: false } }],
          [{ text: 'Well.' }],
        ],
      },
    ],
  })
  const run = (...args: string[]) => testbed.testbed.hosted(['session', ...args], testbed.token())
  const { out } = await run(
    'start',
    '--harness',
    'scripted',
    '--script',
    'gives-up.json',
    '--detach',
  )
  const id = out.trim()
  await testbed.untilState(id, 'ready')
  expect((await run('rename', id, 'the', 'login')).exit).toBe(0)
  expect((await run('model', id, 'other')).exit).toBe(0)
  expect((await run('list')).out).toContain('the login')
  expect((await run('send', id, 'go')).exit).toBe(0)
  await testbed.untilState(id, 'ready', 2)
  // The model gave up, and is asked once more.
  expect((await run('retry', id)).exit).toBe(0)
  await testbed.untilState(id, 'ready', 3)
  expect((await run('interrupt', id)).exit).toBe(3)
  expect((await run('remove', id)).exit).toBe(3)
  expect((await run('stop', id)).exit).toBe(0)
  await testbed.untilState(id, 'stopped')
  expect((await run('resume', id)).exit).toBe(0)
  await testbed.untilState(id, 'ready', 4)
  expect((await run('stop', id)).exit).toBe(0)
  await testbed.untilState(id, 'stopped', 2)
  expect((await run('remove', id)).exit).toBe(0)
  expect((await run('show', id)).exit).toBe(4)
})

test('SE-21: what a command prints is shown while it runs', patience, async () => {
  const command = 'echo working; until [ -e looked ]; do sleep 0.05; done; echo finished'
  testbed.file('long.json', {
    turns: [[{ tool: 'bash', arguments: { command } }], [{ text: 'Well.' }]],
  })
  const { child, view } = talk('long.json')
  await view.until('[ready]')
  child.stdin?.write('go\n')
  await view.until('  | working')
  testbed.file('looked', '')
  await view.until('Well.')
  const lines = view.lines.slice(view.lines.indexOf('  | working'))
  expect(lines.slice(0, 4)).toEqual([
    '  | working',
    '  | finished',
    expect.stringMatching(/^tool bash .*: done, \d+ ms$/),
    'Well.',
  ])
  child.stdin?.end()
})

test('SE-5, SE-19: at a terminal /retry and words are taken in place', patience, async () => {
  const bash = (command: string, more = {}) => ({ tool: 'bash', arguments: { command, ...more } })
  testbed.file('talk.json', {
    turns: [
      [bash('touch tried; test -f mended || sleep 60', { timeout_ms: 1000 })],
      [{ text: 'Mended.' }],
      [bash('until [ -e heard ]; do sleep 0.05; done')],
      ...[[{ text: 'Done.' }], [{ text: 'Later.' }]],
    ],
  })
  const { project, testbed: bed } = testbed
  const start = `'${process.execPath}' '${bin}' ${scripted.join(' ')} talk.json`
  const screen = await atTerminal(
    start,
    {
      ...{ folder: bed.folder, cwd: project, env: bed.environment(testbed.token()) },
      onScreen: (text) => {
        if (text.includes('"/retry" to run it again')) testbed.file('mended', '')
        if (text.includes('queued: and then?')) testbed.file('heard', '')
      },
    },
    [
      { question: /\[ready\]\s+> /, answer: 'go\n' },
      { question: /"\/retry" to run it again\.\s+> /, answer: '/retry\n' },
      { question: /Mended\.\s+\[ready\]\s+> /, answer: 'go on\n' },
      { question: /done: running/, answer: 'and then?\n' },
      { question: /Later\.\s+\[ready\]\s+> /, answer: '\u0004' },
    ],
  )
  expect(screen).toMatch(/Done\.[\s\S]*> and then\?\s+Later\./)
})
