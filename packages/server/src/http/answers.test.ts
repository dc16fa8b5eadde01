import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

const final = { type: 'final' }
const definitions = [
  {
    id: 'child',
    initial: 'work',
    states: { work: { on: { GOOD: 'done', BAD: 'failed' } }, done: final, failed: final },
  },
  {
    id: 'parent',
    initial: 'begin',
    states: {
      begin: { on: { CALL: { invoke: 'child', on_complete: 'next', on_fail: 'mending' } } },
      next: { on: { END: 'done' } },
      mending: { on: { END: 'done' } },
      done: final,
    },
  },
  {
    id: 'lanes',
    initial: 'build',
    states: {
      build: {
        on: {
          SPLIT: {
            fork: {
              branches: {
                lint: { initial: 'lint_run', terminal: 'lint_done' },
                types: { initial: 'types_run', terminal: 'types_done' },
              },
              on_complete: 'next',
              on_fail: 'mending',
            },
          },
        },
      },
      lint_run: { on: { GOOD: 'lint_done', BAD: 'lint_failed' } },
      lint_done: final,
      lint_failed: final,
      types_run: { on: { GOOD: 'types_done' } },
      types_done: final,
      next: { on: { END: 'done' } },
      mending: { on: { END: 'done' } },
      done: final,
    },
  },
  {
    id: 'watched',
    initial: 'work',
    interrupts: { conf: { trigger: { file_pattern: 'conf/**' }, target: 'checking' } },
    states: {
      work: { context_budget_bytes: 100, on: { NEXT: 'end' } },
      checking: { on: { OK: '$return' } },
      end: final,
    },
  },
  {
    id: 'guarded',
    initial: 'work',
    context: { result: null },
    guards: { green: { field: 'result', op: 'eq', value: 'pass' } },
    states: { work: { on: { SET: 'work', SHIP: { target: 'end', guard: 'green' } } }, end: final },
  },
]

let server: TestServer
let agent: string

beforeAll(async () => {
  server = await testServer()
  const person = await server.token('person')
  agent = await server.token('agent')
  for (const body of definitions) {
    await server.ask('PUT', `/api/workflows/${body.id}`, { token: person, body })
  }
})
afterAll(() => server.close())

async function start(workflow: string): Promise<string> {
  const { body } = await server.ask('POST', '/api/runs', { token: agent, body: { workflow } })
  return body.run_id
}

async function send(run: string, event: string, more: object = {}) {
  const path = `/api/runs/${run}/transition`
  return (await server.ask('POST', path, { token: agent, body: { event, ...more } })).body
}

describe('the answer to an event', () => {
  test('WF-23: tells a child that failed from one that completed', async () => {
    const failed = await start('parent')
    await send(failed, 'CALL')
    const bad = await send(failed, 'BAD')
    expect(bad).toMatchObject({ to: 'mending', subflow_failed: true })
    expect(bad).not.toHaveProperty('subflow_completed')
    const completed = await start('parent')
    await send(completed, 'CALL')
    const good = await send(completed, 'GOOD')
    expect(good).toMatchObject({ to: 'next', subflow_completed: true })
    expect(good).not.toHaveProperty('subflow_failed')
  })

  test('WF-24: tells a branch that failed from one that completed', async () => {
    const run = await start('lanes')
    await send(run, 'SPLIT')
    const bad = await send(run, 'BAD', { branch: 'lint' })
    expect(bad).toMatchObject({ to: 'mending', branch_failed: true, fork_failed: true })
    expect(bad).not.toHaveProperty('branch_completed')
    expect(bad).not.toHaveProperty('joined')
  })

  test('WF-24: names what is possible in a fork when a branch is not known', async () => {
    const run = await start('lanes')
    await send(run, 'SPLIT')
    const refused = await send(run, 'BRANCH_DONE:nope')
    expect(refused).toMatchObject({
      code: 'unknown_branch',
      next: 'send one of: BRANCH_DONE:lint, BRANCH_DONE:types.',
    })
  })

  test('WF-28: says that a detour took the place of the event', async () => {
    const run = await start('watched')
    const input = { file_path: 'conf/a', content: 'x' }
    await server.ask('POST', '/api/check', { token: agent, body: { run, tool: 'Write', input } })
    expect(await send(run, 'NEXT')).toMatchObject({
      transitioned: false,
      interrupted: true,
      event: 'NEXT',
      state: 'checking',
    })
  })

  test('WF-17: says that data of the very event does not count for its guards', async () => {
    const run = await start('guarded')
    const hint = 'Data sent with SHIP itself does not count'
    const sent = await send(run, 'SHIP', { data: { result: 'pass' } })
    expect(sent).toMatchObject({ code: 'guard_failed', message: expect.stringContaining(hint) })
    const bare = await send(run, 'SHIP')
    expect(bare).toMatchObject({ code: 'guard_failed', message: expect.not.stringContaining(hint) })
  })
})

test('WF-11: a budget that is used up is not told as one that nearly is', async () => {
  const reported = async (output: string) => {
    const run = await start('watched')
    const check = await server.ask('POST', '/api/check', {
      token: agent,
      body: { run, tool: 'Read', input: { file_path: 'a' } },
    })
    const body = { run, call_id: check.body.call_id, exit: 'success', output }
    return (await server.ask('POST', '/api/result', { token: agent, body })).body.notices
  }
  expect(await reported('x'.repeat(95))).toEqual([
    'Tool results in work have used 95 of 100 bytes. Send an event before the budget runs out.',
  ])
  expect(await reported('x'.repeat(120))).toEqual([
    'Tool results in work have used up the budget: 120 of 100 bytes. Send an event to move on.',
  ])
})

describe('a request that is wrong', () => {
  test('WF-17: names the kind of value that an event takes', async () => {
    const run = await start('guarded')
    const message = '"data" must be an object, not text.'
    expect(await send(run, 'SET', { data: 'x' })).toMatchObject({ code: 'usage', message })
  })

  test('WF-4: a run is not started with a name that nobody knows', async () => {
    const body = { workflow: 'guarded', contxt: { result: 'pass' } }
    const refused = await server.ask('POST', '/api/runs', { token: agent, body })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { code: 'usage', message: 'Unknown field "contxt". Did you mean "context"?' },
    ])
  })

  test('WF-4: a person starts an older version, and an agent does not', async () => {
    const token = await server.token('person')
    const changed = { ...definitions[4], context: { result: 'none' } }
    await server.ask('PUT', '/api/workflows/guarded', { token, body: changed })
    const body = { workflow: 'guarded', version: 1 }
    const old = await server.ask('POST', '/api/runs', { token, body })
    expect(old.body).toMatchObject({ version: 1, context: { result: null } })
    const byAgent = await server.ask('POST', '/api/runs', { token: agent, body })
    expect(byAgent.body).toMatchObject({ code: 'locked' })
    const none = await server.ask('POST', '/api/runs', { token, body: { ...body, version: 9 } })
    expect(none.body).toMatchObject({
      code: 'unknown_workflow',
      message: 'guarded has no version 9.',
    })
  })
})

test('WF-14: a command that is not listed is denied without a way round the list', async () => {
  const token = await server.token('person')
  const narrow = {
    id: 'narrow',
    initial: 'checking',
    states: {
      checking: { allowed_tools: ['Bash'], allowed_commands: ['npm test'], on: { GO: 'open' } },
      open: { on: { END: 'done' } },
      done: final,
    },
  }
  await server.ask('PUT', '/api/workflows/narrow', { token, body: narrow })
  const body = { run: await start('narrow'), tool: 'Bash', input: { command: 'npm publish' } }
  const denied = (await server.ask('POST', '/api/check', { token: agent, body })).body
  expect(denied.code).toBe('command_not_allowed')
  expect(denied).not.toHaveProperty('way')
})

test('WF-33: an answer that ends a process brings no question back', async () => {
  const token = await server.token('person')
  const answers = { yes: { next: null, action: 'complete' } }
  const body = { name: 'sure', initial: 'ask', states: { ask: { question: 'Sure?', answers } } }
  await server.ask('PUT', '/api/processes/sure', { token, body })
  const started = { token, body: { process: 'sure' } }
  const run = (await server.ask('POST', '/api/runs', started)).body.run_id
  const paused = await server.ask('POST', `/api/runs/${run}/pause`, { token: agent, body: {} })
  expect(paused.body).toMatchObject({ code: 'locked', next: 'ask a person to do it.' })
  const path = `/api/runs/${run}/answer`
  const over = (await server.ask('POST', path, { token: agent, body: { answer: 'yes' } })).body
  expect(over).toMatchObject({ status: 'completed' })
  expect(over).not.toHaveProperty('question')
  expect(over).not.toHaveProperty('answers')
})
