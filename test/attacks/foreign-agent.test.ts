import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Running, startServer } from '../../packages/server/src/app/start-server.ts'
import type { Route } from '../../packages/server/src/http/pipeline/route.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-foreign-'))
const bound = { timeout: 60_000 }
const project = '/somewhere/of-ann'
const secret = 'nobody-elses-business'

let running: Running
let person: string
let foreign: string
/** A run that a person started and an agent works at, and one of that agent's own. */
let handed: string
let own: string
let session: string
let task: string
let call: string

const workflow = {
  id: 'guarded',
  initial: 'one',
  context: { note: secret },
  states: {
    one: {
      allowed_tools: ['Read'],
      instructions: secret,
      on: { NEXT: 'two', ASK: { target: 'two', requires_approval: true } },
    },
    two: { type: 'final' },
  },
  meta: { approval_mode: 'ui', debug: true },
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = { status: number; body: any; text: string }

async function ask(token: string, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(new URL(path, running.url), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  })
  // A feed never ends: what it has said by now is looked at.
  const isStream = answer.headers.get('content-type')?.includes('event-stream') === true
  const text = isStream ? await firstWords(answer) : await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return { status: answer.status, body: isJson ? JSON.parse(text) : {}, text }
}

async function firstWords({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  let text = ''
  const decoder = new TextDecoder()
  const deadline = Date.now() + 500
  while (reader !== undefined && Date.now() < deadline) {
    const left = new Promise<undefined>((done) => {
      setTimeout(() => done(undefined), deadline - Date.now())
    })
    const read = await Promise.race([reader.read(), left])
    if (read === undefined || read.done) break
    text += decoder.decode(read.value, { stream: true })
  }
  await reader?.cancel()
  return text
}

async function yes(token: string, method: string, path: string, body?: object) {
  const answer = await ask(token, method, path, body)
  expect([path, answer.text, answer.status < 300]).toEqual([path, answer.text, true])
  return answer.body
}

const mint = async (name: string, more: object = {}): Promise<string> =>
  (await yes(person, 'POST', '/api/tokens', { kind: 'agent', name, ...more })).token

const inProject = (path: string) => `${path}?project=${encodeURIComponent(project)}`

beforeAll(async () => {
  const environment = { HOME: folder, STATEWRIGHT_LOG_LEVEL: 'silent' }
  const started = await startServer({ port: 0, data: join(folder, 'data') }, environment, folder)
  if (!started.ok) throw new Error(started.error.message)
  running = started.value
  person = await running.serving.mintTestPerson()
  await yes(person, 'PUT', '/api/workflows/guarded', workflow)
  const begin = { workflow: 'guarded', project }
  handed = (await yes(person, 'POST', '/api/runs', begin)).run_id
  const worker = await mint('worker', { run: handed })
  own = (await yes(worker, 'POST', '/api/runs', { workflow: 'guarded' })).run_id
  const check = { run: handed, tool: 'Read', input: { file_path: secret }, call_id: 'call_1' }
  await yes(worker, 'POST', '/api/check', check)
  call = 'call_1'
  await yes(worker, 'POST', `/api/runs/${own}/transition`, { event: 'ASK' })
  await yes(worker, 'PUT', inProject('/api/memory/key'), { value: secret })
  task = (await yes(worker, 'POST', inProject('/api/tasks'), { title: secret })).task_id
  const options = { script: { turns: [] } }
  const spawned = { harness: 'scripted', projectPath: folder, workflow: 'guarded', options }
  session = (await yes(person, 'POST', '/api/sessions', spawned)).sessionId
  foreign = await mint('foreign')
}, bound.timeout)

afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true })
})

/** What a route would need of somebody who may: the ids of others, and bodies that fit. */
function addressOf({ path }: Route, run: string): string {
  const filled = path
    .replace('/api/runs/:id', `/api/runs/${run}`)
    .replace('/api/sessions/:id', `/api/sessions/${session}`)
    .replace('/api/tasks/:id', `/api/tasks/${task}`)
    .replace(':key', 'key')
    .replace(':call', call)
    .replace(':client', 'claude-code')
    .replaceAll(/:[a-z]+/gi, 'guarded')
  const isNotebook = /^\/api\/(memory|tasks)/.test(path)
  const query = isNotebook ? { project } : path === '/api/feed' ? { from: '0' } : {}
  return `${filled}?${new URLSearchParams(Object.entries(query))}`
}

/** What fits of all this: fields that a route does not know are refused before anything else. */
function bodyFor({ body: shape }: Route, run: string): object {
  const fields = Object.entries(allFields(run))
  const known = shape instanceof z.ZodObject ? Object.keys(shape.shape) : fields.map(([key]) => key)
  return Object.fromEntries(fields.filter(([name]) => known.includes(name)))
}

const allFields = (run: string) => ({
  run,
  session,
  run_id: run,
  tool: 'Read',
  input: { file_path: 'x' },
  call_id: call,
  output: 'x',
  event: 'NEXT',
  answer: 'yes',
  state: 'two',
  reason: 'x',
  cost_usd: 1,
  usd: 1,
  value: 'taken',
  title: 'taken',
  capability: 'read',
  from: 'a@example.com',
  to: 'b@example.com',
  subject: 'x',
  text: 'x',
})

/** Names one thing of somebody else, which to a foreign agent is not there. */
const namesOne = /^\/api\/(runs|sessions|memory|tasks)\/:|^\/api\/(memory|tasks)$/

describe('an agent that has nothing to do with a run', bound, () => {
  test('PO-8: finds none of it at any route', async () => {
    const open = running.serving.routes.filter(({ who }) => who === 'agent' || who === 'hook')
    let refused = 0
    for (const route of open.filter(({ path }) => !path.startsWith('/mcp'))) {
      for (const run of [handed, own]) {
        const body = route.method === 'GET' ? undefined : bodyFor(route, run)
        const address = addressOf(route, run)
        const { status, text } = await ask(foreign, route.method, address, body)
        const where = `${route.method} ${route.path}`
        const isOfDefinition = route.path.startsWith('/api/workflows')
        if (!isOfDefinition) expect([where, text.includes(secret)]).toEqual([where, false])
        if (namesOne.test(route.path)) expect([where, text, status]).toEqual([where, text, 404])
        else expect([where, status < 300 && text.includes(run)]).toEqual([where, false])
        if (status >= 400) refused += 1
      }
    }
    expect(refused).toBeGreaterThan(40)
  })

  test('PO-8: finds none of it by naming it in a body', async () => {
    const calls = [
      ['/api/check', { run: handed, tool: 'Read', input: {} }],
      ['/api/result', { run: handed, call_id: call, output: 'x' }],
      ['/api/policies/explain', { run: handed, capability: 'read', tool: 'Read' }],
    ] as const
    for (const [path, body] of calls) {
      const { status, text } = await ask(foreign, 'POST', path, body)
      expect([path, text, status >= 400]).toEqual([path, text, true])
    }
    const checked = await ask(foreign, 'POST', '/api/check', {
      session,
      tool: 'Write',
      input: { file_path: '/x', content: '' },
    })
    expect(checked.body.run_id ?? null).toBeNull()
  })

  test.each(['/mcp', '/mcp/process'])('PO-8: finds none of it with a tool of %s', async (path) => {
    const client = new Client({ name: 'foreign', version: '1' })
    const headers = { authorization: `Bearer ${foreign}`, 'statewright-session': session }
    const url = new URL(path, running.url)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(10)
    for (const { name } of [...tools, { name: 'statewright_force_state' }]) {
      for (const run of [handed, own]) {
        const result = await client.callTool({
          name,
          arguments: { ...argumentsOf(name), run },
        })
        const text = JSON.stringify(result)
        expect([name, text.includes(secret)]).toEqual([name, false])
        if (!withoutRun.has(name)) expect([name, text, result.isError]).toEqual([name, text, true])
      }
    }
    await client.close()
  })

  test('PO-8: has changed nothing, and the one who has to do with it sees it all', async () => {
    const { runs } = await yes(person, 'GET', '/api/runs?limit=100')
    const states = runs.map((run: { run_id: string; state: string; calls: number }) => [
      run.run_id,
      run.state,
      run.calls,
    ])
    expect(states).toContainEqual([handed, 'one', 1])
    expect(states).toContainEqual([own, 'one', 0])
    const memory = await yes(person, 'GET', inProject('/api/memory/key'))
    expect(memory.value).toBe(secret)
    const found = await yes(person, 'GET', inProject(`/api/tasks/${task}`))
    expect(found).toMatchObject({ title: secret, status: 'open' })
  })

  test('PO-8a: a person’s run is for the first agent that gets its id, and no other', async () => {
    const run = (await yes(person, 'POST', '/api/runs', { workflow: 'guarded' })).run_id
    const [first, second] = [await mint('first'), await mint('second')]
    await yes(first, 'GET', `/api/runs/${run}`)
    expect((await ask(second, 'GET', `/api/runs/${run}`)).status).toBe(404)
    const moved = await ask(second, 'POST', `/api/runs/${run}/transition`, { event: 'NEXT' })
    expect(moved.status).toBe(404)
    expect((await yes(first, 'GET', '/api/runs')).runs).toMatchObject([{ run_id: run }])
    expect((await yes(second, 'GET', '/api/runs')).runs).toEqual([])
    const taken = await ask(person, 'POST', '/api/tokens', { kind: 'agent', run })
    expect([taken.status, taken.body.code]).toEqual([403, 'locked'])
  })

  test('PO-8a: a person hands a run to an agent at its start', async () => {
    const made = await yes(person, 'POST', '/api/tokens', { kind: 'agent', name: 'named' })
    const begin = { workflow: 'guarded', agent: made.id }
    const { run_id } = await yes(person, 'POST', '/api/runs', begin)
    expect((await ask(foreign, 'GET', `/api/runs/${run_id}`)).status).toBe(404)
    expect((await yes(made.token, 'GET', '/api/runs')).runs).toMatchObject([{ run_id }])
    const unknown = await ask(person, 'POST', '/api/runs', { ...begin, agent: 'agent_none' })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'unknown_token'])
  })
})

describe('an agent’s own token', bound, () => {
  test('PO-8a: announces neither sessions nor calls as hooks do', async () => {
    const made = await yes(person, 'POST', '/api/tokens', { kind: 'agent', with_hook: true })
    const body = { hook_event_name: 'UserPromptSubmit', session_id: 'x', cwd: folder, prompt: 'hi' }
    const asAgent = await ask(made.token, 'POST', '/hooks/claude-code', body)
    expect(asAgent.text).toContain('unauthenticated')
    const asHook = await ask(made.hook_token, 'POST', '/hooks/claude-code', body)
    expect(asHook.text).not.toContain('unauthenticated')
  })

  test('PO-8a: does not speak for the session of an agent that we started', async () => {
    const client = new Client({ name: 'foreign', version: '1' })
    const headers = { authorization: `Bearer ${foreign}`, 'statewright-session': session }
    const url = new URL('/mcp', running.url)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const output = await client.callTool({
      name: 'statewright_transition',
      arguments: { event: 'NEXT' },
    })
    expect(JSON.stringify(output)).toContain('no_active_run')
    await client.close()
  })
})

/** Tools that are about no run, or whose answer without one is no refusal. */
const withoutRun = new Set([
  'statewright_list_workflows',
  'statewright_get_status',
  'statewright_search_docs',
  'statewright_create_workflow',
  'statewright_update_workflow',
  'statewright_validate_workflow',
])

function argumentsOf(tool: string): Record<string, unknown> {
  const all: Record<string, unknown> = {
    name: 'guarded',
    event: 'NEXT',
    answer: 'yes',
    state: 'two',
    key: 'key',
    value: 'taken',
    query: secret.slice(0, 6),
    title: 'taken',
    task_id: task,
    tool: 'Read',
    input: {},
  }
  return tool === 'statewright_load_workflow' ? { name: 'guarded' } : all
}

describe('PO-8: the workspace of a run', () => {
  test('an agent chooses none outside of the projects that it works in', bound, async () => {
    symlinkSync('/', join(folder, 'link'))
    const chooser = await mint('chooser')
    const start = (workspace: string) =>
      ask(chooser, 'POST', '/api/runs', { workflow: 'guarded', workspace })
    for (const workspace of ['/', tmpdir(), project, join(folder, '..'), join(folder, 'link')]) {
      const { status, body } = await start(workspace)
      expect([workspace, status, body.code]).toEqual([workspace, 403, 'locked'])
    }
    expect((await start('..')).body.code).toBe('locked')
    const check = { session: 'chosen', tool: 'Read', input: {}, workspace: '/' }
    expect((await ask(chooser, 'POST', '/api/check', check)).body.code).toBe('locked')
    expect((await start(join(folder, 'inside'))).status).toBe(201)
  })
})
