import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Serving, serve } from '../../packages/server/src/app/serve.ts'
import { createLog } from '../../packages/server/src/observe/logger.ts'
import {
  defaultSettings,
  type RuntimeSettings,
} from '../../packages/server/src/runtime/settings.ts'
import { openStore } from '../../packages/server/src/store/open.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { startFakeModel } from '../support/fake-anthropic.ts'

let folder: string
let store: Store
let serving: Serving
let person: string
let logs: string[]

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-session-api-')))
  logs = []
})
afterEach(async () => {
  await serving.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(settings: Partial<RuntimeSettings> = {}): Promise<void> {
  store = await openStore({ folder: join(folder, 'data'), durability: 'crash' })
  const log = createLog({ destination: { write: (line: string) => void logs.push(line) } })
  const served = await serve({
    store,
    settings: { ...defaultSettings, ...settings },
    port: 0,
    log,
    environment: { PATH: process.env.PATH },
  })
  if (!served.ok) throw new Error(served.error.message)
  serving = served.value
  person = await serving.mintTestPerson()
}

async function ask(method: string, path: string, body?: object, token = person) {
  const answer = await fetch(new URL(path, serving.url), {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: answer.status, body: (await answer.json()) as any }
}

const until = (id: string, kind: string) =>
  expect
    .poll(async () => (await ask('GET', `/api/sessions/${id}`)).body.kind, { timeout: 20_000 })
    .toBe(kind)

const free = {
  id: 'free',
  initial: 'open',
  states: { open: { on: { DONE: 'done' } }, done: { type: 'final' } },
}
const limits = { timeout: 60_000 }

describe('sessions over HTTP', limits, () => {
  test('SE-14: only people start, speak and stop; an agent does not even see theirs', async () => {
    await open()
    const minted = await ask('POST', '/api/tokens', { kind: 'agent', name: 'eve' })
    expect(minted.status).toBe(201)
    const eve: string = minted.body.token
    const spawn = { harness: 'scripted', projectPath: folder, options: { script: { turns: [] } } }
    const started = await ask('POST', '/api/sessions', spawn)
    expect(started.status).toBe(201)
    const id: string = started.body.sessionId
    for (const [path, body] of [
      ['/api/sessions', spawn],
      [`/api/sessions/${id}/input`, { text: 'go' }],
      [`/api/sessions/${id}/stop`, {}],
      [`/api/sessions/${id}/tools/toolrun_1/retry`, {}],
    ] as const) {
      expect([path, (await ask('POST', path, body, eve)).status]).toEqual([path, 403])
    }
    expect((await ask('GET', '/api/sessions', undefined, eve)).body).toEqual({ sessions: [] })
    expect((await ask('GET', `/api/sessions/${id}`, undefined, eve)).status).toBe(404)
    const { sessions } = (await ask('GET', '/api/sessions')).body
    expect(sessions).toMatchObject([{ sessionId: id, lastError: null }])
  })

  test("SE-14: the command of a session stands in the log and in its run's history", async () => {
    await open()
    expect((await ask('PUT', '/api/workflows/free', free)).status).toBe(200)
    const command = ['/no/such/agent', '--acp']
    const spawn = { harness: 'acp', projectPath: folder, options: { command }, workflow: 'free' }
    const { body } = await ask('POST', '/api/sessions', spawn)
    await until(body.sessionId, 'error')
    const page = await ask('GET', `/api/runs/${body.runId}/entries?limit=10`)
    const text = `${body.sessionId} was started with the command ["/no/such/agent","--acp"]`
    expect(page.body.entries).toContainEqual(expect.objectContaining({ type: 'notice', text }))
    const line = logs.find((one) => one.includes('a session was started')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ session_id: body.sessionId, harness: 'acp', command })
  })

  test('PR-9a, PR-9b: configured prices make the cost, and a budget stops the calls', async () => {
    await open({ prices: { 'house-model': { input: 1000, output: 1000 } } })
    writeFileSync(join(folder, 'note.txt'), 'a note\n')
    const read = { tool: 'read_file', input: { path: 'note.txt' } }
    const model = await startFakeModel([[read], [read], [{ text: 'I stop.' }]])
    const saved = await ask('PUT', '/api/processes/thrifty', {
      name: 'thrifty',
      initial: 'start',
      // One request is a little below it, two are above.
      session_budget_usd: 0.03,
      states: {
        start: { question: 'Done?', answers: { yes: { next: 'end' } } },
        end: { question: 'Nothing is left to ask.' },
      },
    })
    expect(saved.status).toBe(200)
    const options = { provider: 'anthropic', model: 'house-model', base_url: `${model.url}/v1` }
    const spawn = { harness: 'model', projectPath: folder, options, process: 'thrifty' }
    const { body } = await ask('POST', '/api/sessions', spawn)
    await until(body.sessionId, 'ready')
    await ask('POST', `/api/sessions/${body.sessionId}/input`, { text: 'go' })
    await until(body.sessionId, 'ready')
    await model.close()
    const { conversation, costUsd } = (await ask('GET', `/api/sessions/${body.sessionId}`)).body
    const results = conversation.filter(({ role }: { role: string }) => role === 'tool')
    expect(costUsd).toBeCloseTo(0.04)
    expect(results).toMatchObject([
      { content: expect.stringContaining('a note'), isError: false },
      { content: expect.stringContaining('session_budget_exhausted'), isError: true },
    ])
  })
})
