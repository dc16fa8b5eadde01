import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startServer } from '../../packages/server/src/app/start-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-lent-'))
const bound = { timeout: 60_000 }
let running: Running
let person: string
/** A run of a person's that has nothing to do with the session. */
let strange: string
let lent: ReturnType<Running['serving']['connect']>

const workflow = {
  id: 'guarded',
  initial: 'one',
  states: { one: { allowed_tools: ['Read'], on: { NEXT: 'two' } }, two: { type: 'final' } },
}

beforeAll(async () => {
  const environment = { HOME: folder, STATEWRIGHT_LOG_LEVEL: 'silent' }
  const options = { port: 0, data: join(folder, 'data') }
  const started = await startServer(options, environment, folder)
  if (!started.ok) throw new Error(started.error.message)
  running = started.value
  person = await running.serving.mintTestPerson()
  await ask('PUT', '/api/workflows/guarded', person, workflow)
  strange = (await ask('POST', '/api/runs', person, { workflow: 'guarded' })).run_id
  await ask('POST', '/api/runs', person, { workflow: 'guarded', session: 'sess_1' })
  const whose = { tokenId: 'person_ann', kind: 'agent', role: 'agent', name: 'a' } as const
  lent = running.serving.connect({ ...whose, session: 'sess_1' })
}, bound.timeout)

afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true })
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
async function ask(method: string, path: string, token: string, body: object): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(new URL(path, running.url), {
    method,
    headers,
    body: JSON.stringify(body),
  })
  return answer.json()
}

describe('the key of an agent that a session started', bound, () => {
  async function call(name: string, args: Record<string, unknown>): Promise<string> {
    const client = new Client({ name: 'agent', version: '1' })
    const headers = { authorization: `Bearer ${lent.token}` }
    const url = new URL('/mcp', running.url)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const result = await client.callTool({ name, arguments: args })
    await client.close()
    return JSON.stringify(result)
  }

  test('SE-11, SE-12: moves the run of its session', async () => {
    expect(await call('statewright_get_state', {})).toContain('Phase: one')
    const wrong = await call('statewright_transition', { event: 'NEXT', run: strange })
    expect(wrong).toContain('unknown_run')
    const right = await call('statewright_transition', { event: 'NEXT' })
    expect(right).toContain('two')
  })

  test('SE-12: does not speak for its hooks', async () => {
    const body = { hook_event_name: 'UserPromptSubmit', session_id: 'x', cwd: folder, prompt: 'hi' }
    const asAgent = await ask('POST', '/hooks/claude-code', lent.token, body)
    expect(JSON.stringify(asAgent)).toContain('unauthenticated')
    const asHook = await ask('POST', '/hooks/claude-code', lent.hookToken, body)
    expect(JSON.stringify(asHook)).not.toContain('unauthenticated')
  })
})
