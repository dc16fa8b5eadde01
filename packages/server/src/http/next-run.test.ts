import { afterEach, describe, expect, test } from 'vitest'
import { type TestOptions, type TestServer, testServer } from '../../testing/server.ts'
import { addUnjudged, liftUnjudged } from '../runtime/blocks/unjudged.ts'

let server: TestServer
let agent: string
afterEach(() => server.close())

const secret = {
  id: 'secret',
  initial: 'working',
  marks: { read: { on: 'Read', when: 'files.exists(f, f.path == ".env")' } },
  calls: { WebFetch: [{ require: '!marks.read', message: 'A secret was read.' }] },
  states: {
    working: { allowed_tools: ['Read', 'WebFetch'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}
const free = {
  id: 'free',
  initial: 'working',
  states: {
    working: { allowed_tools: ['Read', 'WebFetch'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}
const asking = {
  name: 'asking',
  initial: 'sure',
  states: {
    sure: {
      question: 'Are you sure?',
      answers: { no: { next: null, action: 'notify_human' }, yes: { next: null } },
    },
  },
}

async function open(settings: TestOptions['settings'] = {}) {
  server = await testServer({
    settings: { agentMayLoad: ['secret', 'free', 'asking'], ...settings },
  })
  const token = await server.token('person')
  agent = await server.token('agent')
  for (const definition of [secret, free]) {
    const saved = await server.ask('PUT', `/api/workflows/${definition.id}`, {
      token,
      body: definition,
    })
    expect(saved.status).toBe(200)
  }
  const saved = await server.ask('PUT', '/api/processes/asking', { token, body: asking })
  expect(saved.status).toBe(200)
}

const post = (path: string, body: object) => server.ask('POST', path, { token: agent, body })

function load(name: string, session = 's1') {
  const what = name === 'asking' ? { process: name } : { workflow: name }
  return post('/api/runs', { ...what, session, workspace: '/srv/work' })
}

async function call(tool: string, input: object, session = 's1') {
  return (await post('/api/check', { session, tool, input, workspace: '/srv/work' })).body
}

const away = { url: 'https://example.org' }

describe('the next run of a session', () => {
  test('FC-5: still knows what calls of the one before did', async () => {
    await open()
    const { body: first } = await load('secret')
    expect((await call('Read', { file_path: '.env' })).decision).toBe('allow')
    expect((await call('WebFetch', away)).code).toBe('condition_failed')
    await load('secret')
    expect((await call('WebFetch', away)).code).toBe('condition_failed')
    // By way of another workflow, and after the end, as well.
    await load('free')
    await load('secret')
    expect((await call('WebFetch', away)).code).toBe('condition_failed')
    await post(`/api/runs/${first.run_id}/transition`, { event: 'DONE' })
    await load('secret')
    expect((await call('WebFetch', away)).code).toBe('condition_failed')
    // Another session never read it.
    await load('secret', 's2')
    expect((await call('WebFetch', away, 's2')).decision).toBe('allow')
  })

  test('PR-4: is not begun while a person is asked', async () => {
    await open()
    const { body: run } = await load('asking')
    await post(`/api/runs/${run.run_id}/answer`, { answer: 'no' })
    expect((await call('Read', { file_path: 'a' })).code).toBe('run_waiting')
    const refused = await load('free')
    expect([refused.status, refused.body.code]).toEqual([403, 'locked'])
    expect((await call('Read', { file_path: 'a' })).code).toBe('run_waiting')
  })

  test('SH-15: is held by a call of the one before that nobody judged', async () => {
    await open({ strict: true })
    const { runtime } = server.server
    const { body: run } = await load('free')
    await addUnjudged(runtime, { runId: run.run_id, count: 1, text: 'Bash (t1)' })
    expect((await call('Read', { file_path: 'a' })).code).toBe('unjudged_call')
    const { body: next } = await load('secret')
    expect((await call('Read', { file_path: 'a' })).code).toBe('unjudged_call')
    await load('free', 's2')
    expect((await call('Read', { file_path: 'a' }, 's2')).decision).toBe('allow')
    expect(await liftUnjudged(runtime, next.run_id)).toBe(true)
    expect((await call('Read', { file_path: 'a' })).decision).toBe('allow')
  })
})
